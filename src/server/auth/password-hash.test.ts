import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './password-hash.ts'

it('hashes a password with a salt of its own and the cost that OWASP recommends', async () => {
  const [hash, again] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(again).not.toBe(hash)
  expect(await verifyPassword(hash, 'correct horse')).toBe(true)
  expect(await verifyPassword(hash, 'correct hors')).toBe(false)
})

it('verifies a hash with the cost that it names, and no text in another format', async () => {
  const hash = await hashPassword('correct horse')
  expect(await verifyPassword(hash.replace('t=2', 't=1'), 'correct horse')).toBe(false)
  expect(await verifyPassword('correct horse', 'correct horse')).toBe(false)
})
