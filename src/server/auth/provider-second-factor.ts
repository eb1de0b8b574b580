import { createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'

/** As long as the library gives somebody who has signed in with a password. */
const challengeSeconds = 600

/**
 * A plugin of the authentication library that asks for the account's own second factor after the identity provider: the
 * library itself asks only after a password. The session that the callback made is deleted, and the same challenge is made
 * as after a password, so that `verifyTOTP` and `verifyBackupCode` complete both.
 */
export function secondFactorAfterProvider() {
  return {
    id: 'culvert-second-factor-after-provider',
    hooks: {
      after: [
        {
          matcher: ({ path }: { path?: string }) => path === '/callback/:id',
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, internalAdapter, secret } = ctx.context
            if (newSession?.user['twoFactorEnabled'] !== true) return
            deleteSessionCookie(ctx, true)
            await internalAdapter.deleteSession(newSession.session.token)
            ctx.context.setNewSession(null)
            const cookie = ctx.context.createAuthCookie('two_factor', { maxAge: challengeSeconds })
            const identifier = `2fa-${generateRandomString(20)}`
            const expiresAt = new Date(Date.now() + challengeSeconds * 1_000)
            const challenge = { [identifier]: newSession.user.id, [`2fa-attempts-${identifier}`]: '0' }
            for (const [name, value] of Object.entries(challenge))
              await internalAdapter.createVerificationValue({ identifier: name, value, expiresAt })
            await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes)
            // The path that `startOidcSignIn` gave: the callback was about to send the browser there.
            const to = ctx.context.responseHeaders?.get('location') ?? '/issues'
            throw ctx.redirect(`/login?step=code&to=${encodeURIComponent(to)}`)
          }),
        },
      ],
    },
  }
}
