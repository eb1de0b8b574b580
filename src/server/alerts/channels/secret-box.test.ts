import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const box = createSecretBox('an installation secret of 32 characters')

describe('a sealed secret', () => {
  it('decrypts to the original text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, owner) => {
        expect(box.open(box.seal(secret.toWellFormed(), owner), owner)).toBe(secret.toWellFormed())
      }),
    )
  })

  it('does not contain the secret, and differs each time', () => {
    const first = box.seal('xoxb-123', 'd1')
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('xoxb')
    expect(box.seal('xoxb-123', 'd1')).not.toBe(first)
  })

  it('cannot be decrypted with another key or for another destination', () => {
    const sealed = box.seal('xoxb-123', 'd1')
    expect(createSecretBox('another installation secret of 32').open(sealed, 'd1')).toBeUndefined()
    expect(box.open(sealed, 'd2')).toBeUndefined()
  })

  it('does not decrypt if any of its bytes is changed', () => {
    const bytes = Buffer.from(box.seal('xoxb-123', 'd1'), 'base64url')
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(box.open(changed.toString('base64url'), 'd1')).toBeUndefined()
    }
  })

  it.each(['', 'AQ', 'no base64 at all!', 'A'.repeat(39)])('cannot be decrypted from %j', (text) => {
    expect(box.open(text, 'd1')).toBeUndefined()
  })
})
