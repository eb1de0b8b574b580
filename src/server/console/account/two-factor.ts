import { encode } from 'uqr'
import * as v from 'valibot'
import { acceptTotpCode, checkWhileSignedIn } from '#server/auth/sign-in/sign-in.ts'
import { rawText } from '#server/forms/fields.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import type { TwoFactorSetup } from '#server/forms/result-views.ts'
import { limits } from '#server/limits.ts'
import { accountForm, rejectTry, withPassword } from './account-form.ts'

const passwordField = v.object({ password: rawText })

/** The library's error for an account that has a second factor, after the password was correct. */
const alreadyOn = v.object({ body: v.object({ code: v.literal('TOTP_ALREADY_ENABLED') }) })

/** Creates a second factor and shows it; it is enabled once its first code is entered. */
export const startTwoFactor = accountForm(passwordField, async (form) =>
  withPassword(form, async () => {
    const { services, fields, headers } = form
    const { api } = await services.accounts.library()
    const started = await api
      .enableTwoFactor({ body: { password: fields.password }, headers })
      .catch((thrown: unknown) => {
        if (v.is(alreadyOn, thrown)) return undefined
        throw thrown
      })
    if (started === undefined)
      return reject(
        'Two-factor authentication is already on. To set up another device, turn it off first.',
        409,
      )
    if (started.method !== 'totp') throw new Error('the library set up another second factor than TOTP')
    const setup = toTwoFactorSetup(started.totpURI, started.backupCodes)
    return { kind: 'shown', shown: { kind: 'two-factor', setup } }
  }),
)

/** The form contains the setup, to show it again after a mistyped code, even without JavaScript. */
const confirmationFields = v.object({
  code: v.pipe(
    rawText,
    v.transform((code) => code.replaceAll(/\s/g, '')),
  ),
  uri: rawText,
  codes: rawText,
})

const isOn =
  'Two-factor authentication turned on: signing in requires a code from now on. All other sessions were signed out.'

/** Enables the second factor. */
export const confirmTwoFactor = accountForm(
  confirmationFields,
  async ({ services: { accounts }, viewer, fields: { code, uri, codes }, headers, request }) => {
    if (viewer.hasTwoFactor) return { kind: 'done', text: isOn }
    const { userId } = viewer
    const confirm = async (): Promise<{ kind: 'wrong' } | Extract<FormOutcome, { kind: 'done' }>> => {
      if (!(await acceptTotpCode(accounts, { userId, code }))) return { kind: 'wrong' }
      const { api } = await accounts.library()
      // The other sessions were opened without the second factor.
      await api.revokeOtherSessions({ headers })
      const { headers: answer } = await api.verifyTOTP({ body: { code }, headers, returnHeaders: true })
      return { kind: 'done', text: isOn, cookies: answer.getSetCookie() }
    }
    const result = await checkWhileSignedIn(accounts, { userId, request }, confirm)
    if (result.kind === 'done') return result
    const rejection = rejectTry(result, {
      field: 'code',
      message: 'Invalid or expired code. Enter the one that your app shows now.',
    })
    const setup = parseShownSetup(uri, codes)
    return setup === undefined ? rejection : { ...rejection, shown: { kind: 'two-factor', setup } }
  },
)

function parseShownSetup(uri: string, codes: string): TwoFactorSetup | undefined {
  const isOurs =
    uri.startsWith('otpauth://totp/') && Buffer.byteLength(uri) <= limits.totpUriBytes && URL.canParse(uri)
  return isOurs ? toTwoFactorSetup(uri, codes.split(' ')) : undefined
}

/** Disables the second factor. */
export const stopTwoFactor = accountForm(passwordField, async (form) =>
  withPassword(form, async () => {
    const { services, fields, headers } = form
    const { api } = await services.accounts.library()
    const { headers: answer } = await api.disableTwoFactor({
      body: { password: fields.password },
      headers,
      returnHeaders: true,
    })
    return { kind: 'done', text: 'Two-factor authentication turned off.', cookies: answer.getSetCookie() }
  }),
)

function toTwoFactorSetup(uri: string, recoveryCodes: string[]): TwoFactorSetup {
  const { data, size } = encode(uri, { ecc: 'M', border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return {
    uri,
    secret: new URL(uri).searchParams.get('secret') ?? '',
    recoveryCodes,
    qrCode: { size, path: squares.join('') },
  }
}
