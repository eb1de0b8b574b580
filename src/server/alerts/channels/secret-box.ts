import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts the secrets of destinations. */
export interface SecretBox {
  /**
   * Returns base64url text for the store. `owner`: the id of the destination, which is required for
   * decryption.
   */
  seal(secret: string, owner: string): string
  /**
   * Returns the secret; undefined if it was encrypted with another key or for another owner, or was modified.
   */
  open(sealed: string, owner: string): string | undefined
}

/** The first byte, so that the cipher can be replaced later. */
const version = 1
const algorithm = 'aes-256-gcm'
const keyBytes = 32
/** NIST SP 800-38D §8.2.2. */
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/**
 * AES-256-GCM with a key derived from the installation's secret by HKDF (RFC 5869). The layout is version,
 * nonce, tag, ciphertext.
 */
export function createSecretBox(installationSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, '', 'culvert destinations', keyBytes))
  return {
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < headBytes || bytes[0] !== version) return undefined
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(1 + nonceBytes, headBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
