import { createHttpBrowser } from './http-browser.ts'
import type { TestUser } from './session.ts'
import { totpCode } from './totp.ts'
import { pause } from './waiting.ts'

/** Duration of a code. */
const stepMs = 30_000

/** The secrets of a second factor that was turned on. */
export interface SecondFactor {
  /** Base32. */
  secret: string
  recoveryCodes: string[]
  /** The code of the setup. */
  usedCode: string
}

/** Signs in with a password and turns on the second factor, through the forms of `/settings`. */
export async function switchOnSecondFactor(
  origin: string,
  { email, password }: TestUser,
): Promise<SecondFactor> {
  const browser = createHttpBrowser(origin)
  await browser.post('/login', { email, password })
  const shown = await browser.post('/settings', { action: 'start-two-factor', password })
  const uri = /name="uri" value="([^"]+)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const codes = /name="codes" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  // The code of the previous time step: the next two stay unused for signing in. It is rejected when the
  // current step ends before it arrives, so that it may be the code of this step.
  const now = Date.now()
  const leftMs = stepMs - (now % stepMs)
  const isLate = leftMs < 5_000
  if (isLate) await pause(leftMs)
  // By the time before the pause: a timer can fire a millisecond before the step ends.
  const code = totpCode(secret, isLate ? now : now - stepMs)
  const { text } = await browser.post('/settings', { action: 'confirm-two-factor', uri, codes, code })
  if (!text.includes('Two-factor authentication turned on'))
    throw new Error(`the second factor is not on: ${text}`)
  return { secret, recoveryCodes: codes.split(' '), usedCode: code }
}
