import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KyselyPlugin } from 'kysely'
import { parseEnv } from '#server/env.ts'
import { createIngestOnlyApp } from '#server/http/ingest-only-app.ts'
import { listen } from '#server/http/listen.ts'
import { createFront, type FrontBounds, type NodeHandler } from '#server/http/server.ts'
import { stopFront } from '#server/http/stop-front.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { createServices, type Services } from '#server/services.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { writeEmptyStore } from './empty-store.ts'
import { createPostgresDatabase } from './postgres-database.ts'
import { createTempDir } from './temp-dir.ts'

/** The project of every test server, besides the two built-in ones. */
export const fixtureProject = {
  id: 42,
  name: 'fixture',
  publicKey: 'e12d836b15bb49d7bbf99e64295d995b',
} as const

/** A second project, for data that must not cross over. */
export const otherProject = { id: 43, name: 'other', publicKey: '31a5a894b4524f74a9a8d0e27e21ba92' } as const

/** A real server in this process: real HTTP, real store, without the console. */
export interface TestServer {
  origin: string
  services: Services
  /** The first active key of a project. Throws when there is none. */
  dsn(projectId: number): Promise<string>
  countConnections(): Promise<number>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

export interface TestServerOptions {
  /** Environment variables beyond the port and data directory that the test server sets. */
  variables?: Record<string, string>
  /** Called with every statement of a screen's reads. */
  readPlugins?: KyselyPlugin[]
  /** Answers requests other than ingest; by default health checks, and 404 for the rest. */
  loadApp?: (services: Services) => Promise<NodeHandler>
  /** Other limits than the defaults. */
  bounds?: Partial<FrontBounds>
}

/** Starts a server on a free port with an empty store that contains `fixtureProject` and `otherProject`. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { variables = {}, readPlugins, loadApp, bounds } = options
  const dataDir = await createTempDir()
  const database = await createDatabase(dataDir.path)
  const parsed = parseEnv({
    PORT: '0',
    CULVERT_DATA_DIR: dataDir.path,
    LOG_LEVEL: 'silent',
    CULVERT_OWN_TRACES_RATE: '0',
    ...database.variables,
    ...variables,
  })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const services = await createServices(parsed.env, readPlugins && { readPlugins })
  await createProject(services.store, fixtureProject)
  await createProject(services.store, otherProject)
  await services.projectKeys.refresh()
  const server = createFront(services, (await loadApp?.(services)) ?? createIngestOnlyApp(parsed.env), bounds)
  const origin = await listen(server, parsed.env)
  await services.announceOrigin(origin)
  return {
    origin,
    services,
    async dsn(projectId) {
      const key = await services.projectKeys.findOfProject(projectId)
      if (key === undefined) throw new Error(`project ${projectId} has no active key`)
      return toProjectDsn(services.publicOrigin, key)
    },
    countConnections: () => promisify(server.getConnections.bind(server))(),
    async stop() {
      await stopFront(server, services.readiness, 2_000)
      await services.close()
      await database.drop()
      await dataDir.remove()
    },
  }
}

/** The variables of a command that works on the store of a server. */
export function variablesOf({ services: { env } }: TestServer): Record<string, string> {
  return { CULVERT_DATA_DIR: env.dataDir, ...(env.databaseUrl && { DATABASE_URL: env.databaseUrl }) }
}

/** An empty store on the tested engine, and the variables that name it. */
async function createDatabase(dataDir: string) {
  const postgres = process.env['CULVERT_TEST_POSTGRES']
  if (postgres !== undefined) {
    const { url, drop } = await createPostgresDatabase(postgres)
    return { variables: { DATABASE_URL: url }, drop }
  }
  await writeEmptyStore(join(dataDir, 'culvert.db'))
  return { variables: {}, drop: () => Promise.resolve() }
}
