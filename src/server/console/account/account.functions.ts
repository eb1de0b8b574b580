import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { getInviteView, getPasswordLinkView, getSetupView } from './link-forms.ts'
import { getLoginView } from './login.ts'

const linkToken = v.object({ token: v.pipe(v.string(), v.maxLength(100)) })

/** The available sign-in methods. Public. */
export const fetchLogin = createServerFn({ method: 'GET' }).handler(({ context }) =>
  getLoginView(context.services),
)

/** True if the first account can be created. Public. */
export const fetchSetup = createServerFn({ method: 'GET' })
  .validator(v.object({ token: v.pipe(v.string(), v.maxLength(200)) }))
  .handler(({ data, context }) => getSetupView(context.services, data.token))

/** The invitation of a link. Public to holders of the link. */
export const fetchInvite = createServerFn({ method: 'GET' })
  .middleware([requestViewer])
  .validator(linkToken)
  .handler(({ data, context }) => getInviteView(context.services, data.token, context.viewer))

/** The user whose password a link sets. Public to holders of the link. */
export const fetchPasswordLink = createServerFn({ method: 'GET' })
  .validator(linkToken)
  .handler(({ data, context }) => getPasswordLinkView(context.services, data.token))
