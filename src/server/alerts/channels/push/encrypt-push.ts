import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a subscription: the browser's public key and a secret, both in base64url. */
export interface PushKeys {
  p256dh: string
  auth: string
}

/** Random for each message; only tests pass it. */
export interface PushRandomness {
  salt: Uint8Array
  privateKey: Uint8Array
}

export const pushCurve = 'prime256v1'
const pointBytes = 65
const saltBytes = 16
/** One record contains the whole message (RFC 8188 §2.1). */
const recordBytes = 4_096
const keyBytes = 16
const nonceBytes = 12
/** The delimiter of the last record, without padding. */
const lastRecord = Uint8Array.of(2)

/**
 * Encrypts a message for one browser: aes128gcm (RFC 8188) with keys by RFC 8291 §3.4. Throws if the public
 * key is not a point of P-256.
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  { salt, privateKey }: Partial<PushRandomness> = {},
): Buffer {
  const sender = createECDH(pushCurve)
  if (privateKey === undefined) sender.generateKeys()
  else sender.setPrivateKey(privateKey)
  const receiverPoint = Buffer.from(p256dh, 'base64url')
  const senderPoint = sender.getPublicKey()
  const shared = sender.computeSecret(receiverPoint)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverPoint, senderPoint])
  const secret = Buffer.from(hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32))
  const ownSalt = salt ?? randomBytes(saltBytes)
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, ownSalt, `Content-Encoding: ${what}\0`, length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', keyBytes), derive('nonce', nonceBytes))
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(recordBytes)
  sizes.writeUInt8(pointBytes, 4)
  return Buffer.concat([
    ownSalt,
    sizes,
    senderPoint,
    cipher.update(Buffer.concat([Buffer.from(text), lastRecord])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}
