import { readdirSync } from 'node:fs'

const serverOfItsOwn = 'starts the PostgreSQL that it needs'
const files = 'is about the files of a data directory, for which PostgreSQL has its own tools'
const noStore = 'is about requests before they reach the store'

/** Integration tests that do not run a second time on PostgreSQL, each with the reason. */
const runOnce: Record<string, string> = {
  'backup.test.ts': files,
  'bombs.test.ts': noStore,
  'citus.test.ts': serverOfItsOwn,
  'client-addresses.test.ts': noStore,
  'command-line.test.ts': files,
  'compression.test.ts': noStore,
  'console-http.test.ts': noStore,
  'copy.test.ts': serverOfItsOwn,
  'front-bounds.test.ts': noStore,
  'http-surface.test.ts': noStore,
  'overload.test.ts': noStore,
  'pgbouncer.test.ts': serverOfItsOwn,
  'postgres-restore.test.ts': serverOfItsOwn,
  'postgres-tls.test.ts': serverOfItsOwn,
  'query-plans.test.ts': serverOfItsOwn,
  'quiet-sdk.test.ts': noStore,
  'read-replica.test.ts': serverOfItsOwn,
  'routed-statements.test.ts': serverOfItsOwn,
  'slow-envelopes.test.ts': noStore,
  'tunnel-recipes.test.ts': noStore,
  'upgrade.test.ts': serverOfItsOwn,
  'vercel-build.test.ts': serverOfItsOwn,
  'web-handlers.test.ts': noStore,
}

const deliveryTests = ['deliverer', 'deliverer-calls', 'mail-delivery', 'alert-metrics'].map(
  (name) => `src/server/alerts/${name}.test.ts`,
)

/** Tests that look-ups of sessions do not wait for ingest. */
const sessionTests = 'src/server/auth/accounts.test.ts'

/** Tests of what several processes share, which only PostgreSQL supports on several machines. */
const sharedTests = ['src/server/several-processes.test.ts', 'src/server/metrics/heartbeat.test.ts']

/**
 * The tests that also run on PostgreSQL: the store's contract suite, deliveries of alerts, sessions, several
 * processes, and the integration tests. One of these runs only there: it compares both engines.
 */
export function listTestsOnPostgres(): string[] {
  const folder = 'test/integration'
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && !(name in runOnce))
  const units = ['src/server/store/', ...deliveryTests, sessionTests, ...sharedTests]
  return [...units, ...names.map((name) => `${folder}/${name}`)]
}
