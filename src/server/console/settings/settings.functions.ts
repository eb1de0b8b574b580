import { getRequestHeader } from '@tanstack/react-start/server'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { isSessionOver } from '#server/auth/sign-in/sign-in.ts'
import { getAccountSettings } from '#server/console/account/account-settings.ts'
import { getApiTokensView } from '#server/console/account/api-tokens.ts'
import { getMembersView } from '#server/console/account/members.ts'
import { sendTo } from '#server/router.ts'
import { getSystemView } from './system.ts'

/** The viewer's account. */
export const fetchAccountSettings = signedInFn().handler(async ({ context }) => {
  try {
    return await getAccountSettings(context.services, context.viewer, getRequestHeader('cookie') ?? '')
  } catch (thrown) {
    // The session can end after the viewer was found.
    if (isSessionOver(thrown)) return sendTo('/login')
    throw thrown
  }
})

/** The members of the organizations that the user manages; empty for other users. */
export const fetchMembers = signedInFn().handler(({ context }) =>
  getMembersView(context.services, context.viewer),
)

/** The viewer's API tokens. */
export const fetchApiTokens = signedInFn().handler(({ context }) =>
  getApiTokensView(context.services, context.viewer),
)

/** The system status; only for viewers who may configure an organization. */
export const fetchSystem = signedInFn().handler(({ context }) =>
  getSystemView(context.services, context.viewer),
)
