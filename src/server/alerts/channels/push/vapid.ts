import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'

/** The keys that identify this installation to push services, as texts for the store. */
export interface VapidKeys {
  /** The public key, in base64url: `applicationServerKey` in browsers. */
  publicKey: string
  /** A JWK as JSON. */
  privateKey: string
}

const jwk = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.string(),
  y: v.string(),
  d: v.string(),
})

/** Creates a pair of keys on P-256 (RFC 8292 §3.2). */
export function createVapidKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y, ...key } = v.parse(jwk, privateKey.export({ format: 'jwk' }))
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: JSON.stringify({ ...key, x, y }) }
}

/**
 * The `Authorization` header of a request to a push service: a token that is valid only for that service (RFC
 * 8292 §2).
 */
export function createVapidHeader(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: number },
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor((now + limits.pushTokenMs) / 1_000),
    sub: subject,
  }
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = createPrivateKey({
    key: v.parse(v.pipe(v.string(), v.parseJson(), jwk), privateKey),
    format: 'jwk',
  })
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}
