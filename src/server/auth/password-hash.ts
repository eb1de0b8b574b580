import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limits } from '#server/limits.ts'

const derive = promisify(argon2)

/** OWASP's second choice for Argon2id, which needs less memory than the first: 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/**
 * Hashes a password with Argon2id; the result is a PHC string that contains its salt and cost. Takes about 30
 * ms, off the main thread.
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes)
  const tag = await derive('argon2id', { message: password, nonce, tagLength: tagBytes, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(nonce)}$${toBase64(tag)}`
}

/** True if the hash was created from this password. False for a hash in another format. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const parsed = parseHash(hash)
  if (parsed === undefined || password.length > limits.passwordCharacters) return false
  const { tag, ...parameters } = parsed
  const derived = await derive('argon2id', { message: password, tagLength: tag.byteLength, ...parameters })
  return timingSafeEqual(derived, tag)
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{11,88})\$([\w+/]{11,88})$/

function parseHash(hash: string) {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = phc.exec(hash) ?? []
  if (memory === undefined) return undefined
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}
