import { describe, expect, it } from 'vitest'
import { testsOf } from './changed-tests.ts'

const tests = [
  'src/protocol/dsn.test.ts',
  'src/protocol/event.test.ts',
  'src/search/terms.test.ts',
  'test/integration/ingest.test.ts',
]

describe('testsOf', () => {
  it('returns the tests in the folder of a changed source', () => {
    expect(testsOf(['src/protocol/event.ts', 'README.md'], tests)).toEqual([
      'src/protocol/dsn.test.ts',
      'src/protocol/event.test.ts',
    ])
  })

  it('returns a changed integration test, and none for a changed support file', () => {
    expect(testsOf(['test/integration/ingest.test.ts', 'test/support/session.ts'], tests)).toEqual([
      'test/integration/ingest.test.ts',
    ])
  })

  it('returns nothing when no source changed', () => {
    expect(testsOf(['docs/search.md', 'src/styles/base.css'], tests)).toEqual([])
  })
})
