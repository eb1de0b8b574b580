import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseClientReport } from './client-report.ts'
import { itemCategory } from './data-category.ts'

describe('parseClientReport', () => {
  it('reads the discarded events of an SDK', () => {
    const report = parseClientReport({
      timestamp: 1795229355,
      discarded_events: [
        { reason: 'before_send', category: 'error', quantity: 2 },
        { reason: 'a_new_reason', category: 'log_item', quantity: 1.9 },
      ],
    })
    expect(report).toEqual({
      at: 1_795_229_355_000,
      discarded: [
        { reason: 'before_send', category: 'error', quantity: 2 },
        { reason: 'a_new_reason', category: 'log_item', quantity: 1 },
      ],
    })
  })

  it('skips entries that cannot be counted', () => {
    const report = parseClientReport({
      discarded_events: [
        null,
        'x',
        { reason: 'x'.repeat(201), category: 'error', quantity: 1 },
        { reason: 'x', category: 'no such category', quantity: 1 },
        { reason: 'x', category: 'error', quantity: 0 },
        { reason: 'x', category: 'error', quantity: -3 },
        { reason: 'x', category: 'error', quantity: '3' },
        { reason: 'x', category: '__proto__', quantity: 1 },
      ],
    })
    expect(report).toEqual({ discarded: [] })
  })

  it('bounds entries and quantities', () => {
    const entry = { reason: 'x', category: 'error', quantity: 1e300 }
    const report = parseClientReport({ discarded_events: Array.from({ length: 10_000 }, () => entry) })
    expect(report?.discarded).toHaveLength(250)
    expect(report?.discarded[0]?.quantity).toBe(1_000_000_000)
  })

  it('accepts a report without a list and rejects values that are not objects', () => {
    expect(parseClientReport({ discarded_events: {} })).toEqual({ discarded: [] })
    expect(parseClientReport([])).toBeUndefined()
    expect(parseClientReport(null)).toBeUndefined()
  })

  it('never throws for any value', () => {
    fc.assert(fc.property(fc.anything(), (value) => void parseClientReport({ discarded_events: value })))
  })
})

describe('itemCategory', () => {
  it.each([
    ['event', 'error'],
    ['sessions', 'session'],
    ['check_in', 'monitor'],
    ['replay_recording', 'replay'],
    ['client_report', 'internal'],
    ['quantum_flux', 'unknown'],
    ['__proto__', 'unknown'],
    ['constructor', 'unknown'],
  ])('counts %s as %s', (itemType, category) => {
    expect(itemCategory(itemType)).toBe(category)
  })
})
