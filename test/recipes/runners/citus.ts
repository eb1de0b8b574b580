import { expect } from 'vitest'
import { hasCitus, startCitusNodes } from '#test/citus-cluster.ts'
import { queryPostgres } from '#test/query-postgres.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { skip } from '../support/skip.ts'
import type { Recipe } from './recipe.ts'
import { runCommands, runShell } from './shell.ts'

/** Addresses of a database on every node, with the extension; the coordinator's is first. */
type Run = (code: string, urls: readonly string[]) => Promise<void>

function onCitus(run: Run): Recipe {
  return async (code, { context }) => {
    if (!hasCitus()) skip(context, 'Citus is not installed')
    const nodes = await startCitusNodes()
    try {
      const urls = await Promise.all(nodes.map((node) => node.createDatabase('guide')))
      for (const url of urls) await queryPostgres(url, 'CREATE EXTENSION citus')
      await run(code, urls)
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
    }
  }
}

/** The statements of the guide, with the addresses of the tests' nodes. */
export const nodesOfCitus = onCitus(expectNodes)

async function expectNodes(code: string, urls: readonly string[]): Promise<void> {
  const names = ['coordinator.internal', 'worker-1.internal', 'worker-2.internal']
  const [coordinator = ''] = urls
  const statements = names.reduce((text, name, at) => text.replace(name, hostOf(urls[at] ?? '')), code)
  for (const statement of statements.split('\n')) await queryPostgres(coordinator, statement)
  expect(await queryPostgres(coordinator, 'SELECT count(*)::int AS n FROM pg_dist_node')).toEqual([{ n: 3 }])
}

/** The schema, and its distribution to the added workers. */
export const distributedByCitus = onCitus(expectDistributed)

async function expectDistributed(code: string, urls: readonly string[]): Promise<void> {
  const [coordinator = '', ...workers] = urls
  await queryPostgres(coordinator, `SELECT citus_set_coordinator_host('${hostOf(coordinator)}', 5432)`)
  for (const worker of workers)
    await queryPostgres(coordinator, `SELECT citus_add_node('${hostOf(worker)}', 5432)`)
  const folder = await createTempDir()
  const variables = { DATABASE_URL: coordinator }
  const [migrate = '', ...others] = code.split('\n')
  try {
    await runCommands(migrate, folder.path, variables)
    await runShell(others.join('\n'), { variables })
  } finally {
    await folder.remove()
  }
  const kinds = await queryPostgres(
    coordinator,
    'SELECT DISTINCT citus_table_type AS kind FROM citus_tables ORDER BY 1',
  )
  expect(kinds).toEqual([{ kind: 'distributed' }, { kind: 'local' }, { kind: 'reference' }])
}

const hostOf = (url: string) => new URL(url).searchParams.get('host') ?? ''
