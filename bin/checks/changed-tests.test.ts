import { describe, expect, it } from 'vitest'
import { filesToLint, testsOf } from './changed-tests.ts'

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

describe('filesToLint', () => {
  it('returns the changed files that have rules', () => {
    expect(filesToLint(['src/a.ts', 'src/b.tsx', 'bin/setup.mjs', 'README.md', 'src/styles/a.css'])).toEqual([
      'src/a.ts',
      'src/b.tsx',
      'bin/setup.mjs',
    ])
  })

  it.each(['oxlint.config.ts', 'bin/checks/import-rules.ts', 'tsconfig.json', 'package-lock.json'])(
    'returns no list when %s changed, so that all files are linted',
    (path) => {
      expect(filesToLint(['src/a.ts', path])).toBeUndefined()
    },
  )
})
