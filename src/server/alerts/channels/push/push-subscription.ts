import { ECDH } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { pushCurve } from './encrypt-push.ts'

const authBytes = 16
const problem = 'This is not a push subscription. Try again in a current browser.'

/** A browser's subscription: the URL to send to, and the keys to encrypt with. */
export const pushSubscription = v.object({
  endpoint: v.pipe(
    v.string(problem),
    v.maxLength(limits.pushEndpointCharacters, problem),
    v.url(problem),
    v.startsWith('https://', problem),
  ),
  p256dh: v.pipe(v.string(problem), v.check(isPoint, problem)),
  auth: v.pipe(
    v.string(problem),
    v.check((text) => Buffer.from(text, 'base64url').length === authBytes, problem),
  ),
})

/** True for a point of P-256 (RFC 8291 §3.1). */
function isPoint(text: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(text, 'base64url'), pushCurve)
    return true
  } catch {
    return false
  }
}
