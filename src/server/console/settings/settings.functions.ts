import { createServerFn } from '@tanstack/react-start'
import { getRequestHeader } from '@tanstack/react-start/server'
import { signedIn } from '#server/auth/access.functions.ts'
import { getAccountSettings } from '#server/auth/account-settings.ts'
import { getApiTokensView } from '#server/auth/api-tokens.ts'
import { getMembersView } from '#server/auth/members.ts'
import { whileSignedIn } from '#server/doorway.ts'
import { getSystemView } from './system.ts'

/** One's own account. */
export const fetchAccountSettings = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) =>
    whileSignedIn(getAccountSettings(context.services, context.viewer, getRequestHeader('cookie') ?? '')),
  )

/** The people of the organizations in which one may manage them; none for everybody else. */
export const fetchMembers = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getMembersView(context.services, context.viewer))

/** One's own tokens for the API. */
export const fetchApiTokens = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getApiTokensView(context.services, context.viewer))

/** How the installation is; only for who may configure an organization. */
export const fetchSystem = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getSystemView(context.services, context.viewer))
