import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Client, Pool } from 'pg'
import { openStore } from '#server/store/store.ts'

let template: Promise<string> | undefined

/** Addresses of the workers, if the tests run on the coordinator of a Citus cluster: separated by spaces. */
const ownWorkers = (process.env['CULVERT_TEST_CITUS_WORKERS'] ?? '').split(' ').filter((url) => url !== '')

/**
 * Creates a database with the schema and nothing else on a server, whose URL names any of its databases.
 * Copies a template: applying the migrations takes longer than most tests. With workers, the server is the
 * coordinator of a Citus cluster, and the tables are distributed.
 */
export async function createPostgresDatabase(
  server: string,
  workers: readonly string[] = ownWorkers,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const nodes = [server, ...workers]
  template ??= createTemplate(nodes)
  const from = await template
  const name = `test_${randomBytes(8).toString('hex')}`
  await runEverywhere(nodes, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`)
  if (workers.length > 0) await copySettings(server, { from, to: name })
  return {
    url: toUrl(server, name),
    drop: () => runEverywhere(nodes, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

async function createTemplate(nodes: readonly string[]): Promise<string> {
  const [server = '', ...workers] = nodes
  const name = `template_${randomBytes(8).toString('hex')}`
  await runEverywhere(nodes, `CREATE DATABASE ${name} TEMPLATE template0`)
  if (workers.length > 0) await addNodes(nodes, name)
  const store = await openStore({ path: toUrl(server, name), clock: Date.now })
  await store.close()
  if (workers.length > 0) await distribute(nodes, name)
  return name
}

/** Sets up a database on every node of a Citus cluster; the first node is the coordinator. */
async function addNodes(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await runSql(toUrl(node, name), 'CREATE EXTENSION citus')
  const [coordinator = '', ...workers] = nodes
  const url = toUrl(coordinator, name)
  await runSql(url, `SELECT citus_set_coordinator_host(${nodeOf(coordinator)})`)
  for (const worker of workers) await runSql(url, `SELECT citus_add_node(${nodeOf(worker)})`)
}

const script = new URL('../../src/server/store/engine/postgres/citus/distribute.sql', import.meta.url)

/** Distributes the tables, and ends the connections of Citus' daemons: a template must have none. */
async function distribute(nodes: readonly string[], name: string): Promise<void> {
  const [coordinator = ''] = nodes
  await runSql(toUrl(coordinator, name), `SET citus.shard_count = 8; ${await readFile(script, 'utf8')}`)
  await runEverywhere(
    nodes,
    `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false;
     SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  )
}

/** The settings of a database are not copied. */
async function copySettings(server: string, { from, to }: { from: string; to: string }): Promise<void> {
  await runSql(
    server,
    `DO $$
     DECLARE setting text;
     BEGIN
       FOR setting IN SELECT unnest(setconfig) FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
         WHERE datname = '${from}'
       LOOP
         EXECUTE format('ALTER DATABASE ${to} SET %s = %L', split_part(setting, '=', 1), split_part(setting, '=', 2));
       END LOOP;
     END $$`,
  )
}

/** Host and port of a node as arguments in SQL. */
function nodeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `'${searchParams.get('host') ?? hostname}', ${port === '' ? 5432 : port}`
}

function toUrl(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** One connection per server, closed when it has been idle: a new one takes 6 ms of processor time. */
const pools = new Map<string, Pool>()

function poolOf(server: string): Pool {
  let pool = pools.get(server)
  if (pool === undefined) {
    pool = new Pool({ connectionString: server, max: 1, idleTimeoutMillis: 5_000, allowExitOnIdle: true })
    pool.on('error', () => undefined)
    pools.set(server, pool)
  }
  return pool
}

/** Runs statements on databases of the nodes that tests do not use. */
async function runEverywhere(nodes: readonly string[], sql: string): Promise<void> {
  for (const node of nodes) await poolOf(node).query(sql)
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
