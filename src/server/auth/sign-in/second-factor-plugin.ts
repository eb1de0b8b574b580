import { createOTP } from '@better-auth/utils/otp'
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'
import * as v from 'valibot'
import { openSecondFactor } from './sealed-second-factor.ts'

/** Equals the library's own period after a sign-in with a password. */
const challengeSeconds = 600

/** The library's name for the cookie of a sign-in between the first factor and the second. */
const challengeCookie = 'two_factor'

const stepMs = 30_000

const CodeOfUser = v.object({ userId: v.string(), code: v.string() })

/** The required columns of `two_factors`, by the library's names. */
const TwoFactor = v.object({ secret: v.string() })

/**
 * A plugin of the authentication library that extends its own plugin for second factors.
 *
 * - It also requires the account's second factor after the identity provider. It deletes the session that the
 *   callback created, and creates the same challenge as after a password, so that `verifyTOTP` and
 *   `verifyBackupCode` complete both.
 * - It reports whose sign-in a request continues, and the time step of a correct code, so that attempts can
 *   be counted before they are checked and each code is accepted once.
 */
export function secondFactorPlugin({ asksAfterProvider }: { asksAfterProvider: boolean }) {
  return {
    id: 'culvert-second-factor',
    endpoints: { findChallengedUser, findTotpStep },
    hooks: {
      after: [
        {
          matcher: ({ path }: { path?: string }) => asksAfterProvider && path === '/callback/:id',
          handler: challengeAfterProvider,
        },
      ],
    },
  }
}

const challengeAfterProvider = createAuthMiddleware(async (ctx) => {
  const { newSession, internalAdapter, secret } = ctx.context
  if (newSession?.user['twoFactorEnabled'] !== true) return
  deleteSessionCookie(ctx, true)
  await internalAdapter.deleteSession(newSession.session.token)
  ctx.context.setNewSession(null)
  const cookie = ctx.context.createAuthCookie(challengeCookie, { maxAge: challengeSeconds })
  const identifier = `2fa-${generateRandomString(20)}`
  const expiresAt = new Date(Date.now() + challengeSeconds * 1_000)
  const challenge = { [identifier]: newSession.user.id, [`2fa-attempts-${identifier}`]: '0' }
  for (const [name, value] of Object.entries(challenge))
    await internalAdapter.createVerificationValue({ identifier: name, value, expiresAt })
  await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes)
  // The path from `startOidcSignIn`, to which the callback was about to redirect.
  const to = ctx.context.responseHeaders?.get('location') ?? '/issues'
  throw ctx.redirect(`/login?step=code&to=${encodeURIComponent(to)}`)
})

/**
 * The id of the user whose sign-in waits for the second factor, by the request's cookie, and whether this
 * secret decrypts the second factor; null if there is none.
 */
const findChallengedUser = createAuthEndpoint.serverOnly(
  { method: 'POST', requireHeaders: true },
  async (ctx) => {
    const cookie = ctx.context.createAuthCookie(challengeCookie)
    const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
    if (typeof identifier !== 'string') return null
    const { adapter, internalAdapter, secretConfig } = ctx.context
    const challenge = await internalAdapter.findVerificationValue(identifier)
    if (challenge === null || challenge.expiresAt.getTime() <= Date.now()) return null
    const userId = challenge.value
    const sealed = await findSealed(adapter, userId)
    const isReadable = sealed === undefined || (await openSecondFactor(secretConfig, sealed)) !== undefined
    return { userId, isReadable }
  },
)

/** The encrypted secret of a user's second factor; undefined without one. */
async function findSealed(
  adapter: {
    findOne: (query: { model: string; where: { field: string; value: string }[] }) => Promise<unknown>
  },
  userId: string,
): Promise<string | undefined> {
  const row = await adapter.findOne({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] })
  const twoFactor = v.safeParse(TwoFactor, row)
  return twoFactor.success ? twoFactor.output.secret : undefined
}

/**
 * The time step (RFC 6238) for which a code is valid: the current one, the previous or the next, as the
 * library accepts them; null if it is invalid.
 */
const findTotpStep = createAuthEndpoint.serverOnly({ method: 'POST', body: CodeOfUser }, async (ctx) => {
  const { userId, code } = ctx.body
  const sealed = await findSealed(ctx.context.adapter, userId)
  const secret = sealed && (await openSecondFactor(ctx.context.secretConfig, sealed))
  if (secret === undefined) return null
  const otp = createOTP(secret)
  const current = Math.floor(Date.now() / stepMs)
  for (const step of [current, current - 1, current + 1]) if ((await otp.hotp(step)) === code) return step
  return null
})
