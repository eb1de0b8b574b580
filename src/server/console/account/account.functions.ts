import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { requestViewer } from '#server/auth/access.functions.ts'
import { getInviteView, getPasswordLinkView, getSetupView } from './link-forms.ts'
import { getLoginView } from './login.ts'

const linkToken = v.object({ token: v.pipe(v.string(), v.maxLength(100)) })

/** How one can sign in. For anybody. */
export const fetchLogin = createServerFn({ method: 'GET' }).handler(({ context }) =>
  getLoginView(context.services),
)

/** Whether there is a first account to make. For anybody. */
export const fetchSetup = createServerFn({ method: 'GET' })
  .validator(v.object({ token: v.pipe(v.string(), v.maxLength(200)) }))
  .handler(({ data, context }) => getSetupView(context.services, data.token))

/** What an invitation opens. For whoever has its link. */
export const fetchInvite = createServerFn({ method: 'GET' })
  .middleware([requestViewer])
  .validator(linkToken)
  .handler(({ data, context }) => getInviteView(context.services, data.token, context.viewer))

/** Whose password a link sets. For whoever has the link. */
export const fetchPasswordLink = createServerFn({ method: 'GET' })
  .validator(linkToken)
  .handler(({ data, context }) => getPasswordLinkView(context.services, data.token))
