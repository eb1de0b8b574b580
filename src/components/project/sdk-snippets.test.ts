import { describe, expect, it } from 'vitest'
import { dsnParts } from './dsn-parts.ts'
import { sdkSetupGuides } from './sdk-snippets.ts'

const dsn = 'https://1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a@errors.example.com:8443/prefix/42'

describe('dsnParts', () => {
  it('finds the target of envelopes, with port and path', () => {
    expect(dsnParts(dsn)).toEqual({
      envelopeUrl: 'https://errors.example.com:8443/prefix/api/42/envelope/',
      publicKey: '1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a',
    })
  })

  it.each(['', 'not a url', 'https://errors.example.com/42', 'https://key@errors.example.com/'])(
    'rejects %j',
    (text) => {
      expect(dsnParts(text)).toBeUndefined()
    },
  )
})

describe('sdkSetupGuides', () => {
  it('names each guide once and puts the DSN into every SDK', () => {
    const guides = sdkSetupGuides(dsn)
    expect(new Set(guides.map((guide) => guide.id)).size).toBe(guides.length)
    for (const guide of guides.filter(({ id }) => id !== 'curl')) {
      expect(guide.steps.some((step) => step.code.includes(dsn))).toBe(true)
    }
  })

  it('passes an envelope of three lines to curl', () => {
    const [step] = sdkSetupGuides(dsn).find((guide) => guide.id === 'curl')?.steps ?? []
    const envelope =
      step?.code
        .split('<<END\n')[1]
        ?.replace(/\nEND$/, '')
        .split('\n') ?? []
    expect(envelope).toHaveLength(3)
    for (const line of envelope) expect(() => void JSON.parse(line)).not.toThrow()
  })
})
