import { describe, expect, it } from 'vitest'
import { scrubRules } from '#server/scrub/scrub-rule.ts'
import { redactionMarks, redactionReason } from './redaction-texts.ts'

describe('the text of a redaction', () => {
  it.each(Object.values(scrubRules))('$remark has a reason, and its mark $mark', ({ remark, mark }) => {
    expect(redactionReason(remark)).not.toContain(remark)
    expect([...redactionMarks([{ field: 'a', rules: [remark] }]).keys()]).toEqual([mark])
  })

  it('names an unknown rule', () => {
    expect(redactionReason('custom:mask')).toBe('by the rule custom:mask, before Culvert received it')
    expect(redactionReason('constructor')).toContain('constructor')
    expect(redactionMarks([{ field: 'a', rules: ['custom:mask'] }]).size).toBe(0)
  })

  it('lists all reasons of a mark that several rules share', () => {
    const marks = redactionMarks([{ field: 'a', rules: ['@password:filter', '@urlauth:legacy'] }])
    expect(marks.get('[Filtered]')).toBe('Scrubbed: sensitive field name, or password in a URL')
  })
})
