/**
 * The files that run a second time, on PostgreSQL: the store's contract suite, and integration tests whose
 * answers come out of the store. One of them runs only there: it compares both engines.
 */
export const testsOnPostgres = [
  'src/server/store/',
  'test/integration/api-issues.test.ts',
  'test/integration/api-search.test.ts',
  'test/integration/engine-differences.test.ts',
  'test/integration/mcp.test.ts',
  'test/integration/sessions.test.ts',
]
