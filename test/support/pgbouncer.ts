import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPostgresOwner, type PostgresCluster } from './postgres-cluster.ts'

const program = '/usr/sbin/pgbouncer'

export function hasPgBouncer(): boolean {
  return existsSync(program)
}

/** A PgBouncer in transaction mode in front of a cluster. */
export interface PgBouncer {
  /** The address of a database through it. */
  urlOf(database: string): string
  stop(): Promise<void>
}

const port = 6432

/** Connections to the server for each database. */
export const poolSize = 4

/** Starts it on a Unix socket, with a few server connections for each database. */
export async function startPgBouncer({ folder }: PostgresCluster): Promise<PgBouncer> {
  const [config, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  await writeFile(users, '"culvert" ""\n', { mode: 0o644 })
  const lines = [
    '[databases]',
    `* = host=${folder} port=5432`,
    '[pgbouncer]',
    'listen_addr =',
    `listen_port = ${port}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o644 })
  const child = spawn(program, [config], {
    ...(await findPostgresOwner()),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('process up')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}:\n${log}`)))
  })
  return {
    urlOf: (database) =>
      `postgres://culvert@localhost:${port}/${database}?host=${encodeURIComponent(folder)}&pgbouncer=true`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await ended
    },
  }
}
