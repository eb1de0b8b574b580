import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from './postgres-cluster.ts'
import { createPostgresDatabase } from './postgres-database.ts'

/** True if Citus is installed for the PostgreSQL of the tests. */
export function hasCitus(): boolean {
  const programs = findPostgresPrograms()
  return programs !== undefined && existsSync(join(programs, '../lib/citus.so'))
}

/** A coordinator and two workers. */
export interface CitusCluster {
  /** Creates a database with the distributed schema and nothing else, and returns its address. */
  createDatabase(): Promise<string>
  /** Addresses of the same database on the workers. */
  onWorkers(url: string): string[]
  stop(): Promise<void>
}

const settings = {
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=prefer',
  // A daemon for each database that was opened.
  max_worker_processes: '64',
  max_prepared_transactions: '200',
}

/** Starts three servers that load the extension, each on a Unix socket. */
export function startCitusNodes(): Promise<PostgresCluster[]> {
  return Promise.all(Array.from({ length: 3 }, () => startPostgresCluster({ settings })))
}

/** Starts the cluster, its servers on Unix sockets. Throws if Citus is not installed. */
export async function startCitusCluster(): Promise<CitusCluster> {
  const nodes = await startCitusNodes()
  const [coordinator, ...workers] = nodes.map((node) => node.urlOf('postgres'))
  return {
    createDatabase: async () => (await createPostgresDatabase(coordinator ?? '', workers)).url,
    onWorkers: (url) =>
      workers.map((worker) => {
        const address = new URL(worker)
        address.pathname = new URL(url).pathname
        return address.href
      }),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
