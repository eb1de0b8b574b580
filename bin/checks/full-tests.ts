const growth = 'measures how cost grows'
const serverOfItsOwn = 'starts a server or a proxy that one feature needs'
const long = 'takes long: many kills, jumps or seconds of waiting for one fault'
const program = 'runs a program of another project'
const passwords = 'hashes many passwords'
const large = 'fills a large database'

/** Files of tests that only run in full, each with the reason. Other tests that do have the tag `full`. */
export const fullTestFiles: Record<string, string> = {
  'src/server/ingest/work-growth.test.ts': growth,
  'test/faults/frozen-functions.test.ts': long,
  'test/faults/kill-changed-issues.test.ts': long,
  'test/faults/kill-cron-monitors.test.ts': long,
  'test/faults/kill-monitors.test.ts': long,
  'test/faults/locked-file.test.ts': long,
  'test/faults/moved-clock.test.ts': long,
  'test/faults/several-processes.test.ts': long,
  'test/faults/silent-postgres.test.ts': long,
  'test/faults/small-memory.test.ts': long,
  'test/faults/starved-server.test.ts': long,
  'test/integration/alert-messages.test.ts': long,
  'test/integration/alert-storms.test.ts': long,
  'test/integration/citus.test.ts': serverOfItsOwn,
  'test/integration/copy.test.ts': large,
  'test/integration/forgotten-password.test.ts': long,
  'test/integration/import-page.test.ts': long,
  'test/integration/issue-tracker.test.ts': serverOfItsOwn,
  'test/integration/mail-server.test.ts': serverOfItsOwn,
  'test/integration/oidc.test.ts': serverOfItsOwn,
  'test/integration/overload.test.ts': long,
  'test/integration/path-spellings.test.ts': long,
  'test/integration/pgbouncer.test.ts': serverOfItsOwn,
  'test/integration/postgres-restore.test.ts': serverOfItsOwn,
  'test/integration/postgres-tls.test.ts': serverOfItsOwn,
  'test/integration/push-notifications.test.ts': serverOfItsOwn,
  'test/integration/query-plans.test.ts': large,
  'test/integration/reachable-links.test.ts': long,
  'test/integration/read-replica.test.ts': serverOfItsOwn,
  'test/integration/routed-statements.test.ts': long,
  'test/integration/sentry-cli.test.ts': program,
  'test/integration/sign-in-limits.test.ts': passwords,
  'test/integration/trace-bombs.test.ts': long,
  'test/integration/tunnel-recipes.test.ts': serverOfItsOwn,
  'test/integration/upgrade.test.ts': large,
  'test/integration/vercel-build.test.ts': serverOfItsOwn,
}
