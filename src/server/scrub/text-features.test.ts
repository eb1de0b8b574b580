import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FindingList } from './finding-list.ts'
import { findTextFeatures, textFeatures } from './text-features.ts'
import { findCardNumbers } from './values/card-number.ts'
import { findIbans } from './values/iban.ts'
import { findSocialSecurityNumbers } from './values/number-shapes.ts'
import { findSchemeCredentials } from './values/token-shapes.ts'

const rules = [
  { find: findCardNumbers, feature: textFeatures.manyDigits },
  { find: findIbans, feature: textFeatures.capitalsAndDigits },
  { find: findSocialSecurityNumbers, feature: textFeatures.dashedDigits },
  { find: findSchemeCredentials, feature: textFeatures.scheme },
]

/** Fragments of secrets and of the text around them. */
const piece = fc.oneof(
  fc.constantFrom(
    '4111111111111111',
    '4111 1111 1111 1111',
    '378282246310005',
    'DE89370400440532013000',
    'MT84MALT011000012345MTLCAST001S',
    'NO93 8601 1117 947',
    '078-05-1120',
    'Bearer ',
    'bAsIc ',
    'QWxhZGRpbjpvcGVuU2VzYW1l',
    'mF_9.B5f-4.1JqM',
  ),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789ABab-  \t.')) }),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)

describe('findTextFeatures', () => {
  it('has the feature of every rule with a finding in the text', () => {
    const found = new Set<number>()
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const text = pieces.join('')
        for (const { find, feature } of rules) {
          const findings = new FindingList(1)
          find(text, findings)
          if (findings.found.length === 0) continue
          found.add(feature)
          expect(findTextFeatures(text) & feature).toBe(feature)
        }
      }),
      { numRuns: 2000 },
    )
    expect(found.size).toBe(rules.length)
  })

  it.each(['button#0d1f9c35a2b74e > span.label', 'subscribe to the board', '/api/0123456789'])(
    'finds no feature in %j',
    (text) => {
      expect(findTextFeatures(text)).toBe(0)
    },
  )
})
