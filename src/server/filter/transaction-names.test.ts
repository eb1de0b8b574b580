import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/transaction-names.json' with { type: 'json' }
import { compileGlobs } from './glob.ts'
import { healthCheckTransactions, isFilteredTransaction } from './transaction-names.ts'

/**
 * Names that the fixture omits: live ones, with slashes or dashes, and those that are also in the current
 * list.
 */
const furtherPatterns = [
  '*healthcheck*',
  'live',
  'live[z/-]*',
  '*[/-]ready',
  '*/health',
  '*/healthz',
  '*/ping',
]
const names = compileGlobs([...fixture.patterns, ...furtherPatterns])

describe('isFilteredTransaction', () => {
  it.each(fixture.cases)('decides like Relay: $type $transaction', ({ transaction, type, filtered }) => {
    expect(isFilteredTransaction({ type: type === 'transaction' ? type : 'error', transaction }, names)).toBe(
      filtered,
    )
  })

  it('has the patterns that Sentry ships', () => {
    expect(healthCheckTransactions).toEqual(expect.arrayContaining(fixture.current_default_patterns))
  })

  it('recognizes health checks by default, with and without a method', () => {
    const defaults = compileGlobs(healthCheckTransactions)
    for (const transaction of ['/healthz', 'GET /api/health', '/a/READYZ', 'worker heartbeat', 'GET /ping']) {
      expect(isFilteredTransaction({ type: 'transaction', transaction }, defaults)).toBe(true)
    }
    for (const transaction of ['/shipping', '/delivery', 'GET /health/report', '/already', '']) {
      expect(isFilteredTransaction({ type: 'transaction', transaction }, defaults)).toBe(false)
    }
  })

  it('keeps a transaction without a name', () => {
    expect(isFilteredTransaction({ type: 'transaction' }, names)).toBe(false)
  })
})
