import { execFileSync, spawnSync } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#server/store/store.ts'
import { findFreePort } from '#test/listen-locally.ts'
import {
  findPostgresOwner,
  findPostgresPrograms,
  startPostgresCluster,
  type PostgresCluster,
} from '#test/postgres-cluster.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'

/** The modes of TLS of docs/postgresql.md, against a server whose certificate is for `localhost`. */

const hindrance =
  findPostgresPrograms() === undefined || spawnSync('openssl', ['version']).status !== 0
    ? ' (skipped: no PostgreSQL or no openssl is installed)'
    : ''

let files: TempDir
let cluster: PostgresCluster
let port: number
let authority: string

function createCertificate(name: string): { key: string; certificate: string } {
  const [key, certificate] = [join(files.path, `${name}.key`), join(files.path, `${name}.pem`)]
  const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate]
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  execFileSync('openssl', ['req', '-x509', ...kind, ...names], { stdio: 'ignore' })
  return { key, certificate }
}

const question = 'SELECT ssl::int AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

/** True if the connections of a store on this URL are encrypted. */
async function isEncrypted(query: string, host = 'localhost'): Promise<boolean> {
  const store = await openStore({ path: `postgres://culvert@${host}:${port}/encrypted${query}` })
  try {
    const [row] = store.connection.prepare(question).all()
    const { rows } = await sql<{ ssl: number }>`${sql.raw(question)}`.execute(store.db)
    // The connection that writes and those that read are opened in different places.
    expect(rows[0]?.ssl).toBe(row?.['ssl'])
    return row?.['ssl'] === 1
  } finally {
    await store.close()
  }
}

describe.skipIf(hindrance !== '')(`a connection to PostgreSQL${hindrance}`, () => {
  beforeAll(async () => {
    files = await createTempDir()
    port = await findFreePort()
    const { key, certificate } = createCertificate('localhost')
    authority = certificate
    const owner = await findPostgresOwner()
    if (owner) {
      for (const path of [files.path, key, certificate]) await chown(path, owner.uid, owner.gid)
    }
    cluster = await startPostgresCluster({
      settings: {
        listen_addresses: '127.0.0.1',
        port: String(port),
        ssl: 'on',
        ssl_key_file: key,
        ssl_cert_file: certificate,
      },
    })
    const client = new Client({ host: '127.0.0.1', port, user: 'culvert', database: 'postgres' })
    await client.connect()
    await client.query('CREATE DATABASE encrypted TEMPLATE template0')
    await client.end()
  })
  afterAll(async () => {
    await cluster.stop()
    await files.remove()
  })

  it('is not encrypted without sslmode', async () => {
    expect(await isEncrypted('')).toBe(false)
  })

  it('is encrypted and not checked with no-verify', async () => {
    expect(await isEncrypted('?sslmode=no-verify', '127.0.0.1')).toBe(true)
  })

  it('is encrypted and checked with verify-full and the CA of the server', async () => {
    expect(await isEncrypted(`?sslmode=verify-full&sslrootcert=${authority}`)).toBe(true)
  })

  it.each(['require', 'verify-full'])('is rejected with %s if no known CA has signed', async (mode) => {
    await expect(isEncrypted(`?sslmode=${mode}`)).rejects.toThrow(/self-signed certificate/)
  })

  it.each(['require', 'verify-full'])(
    'is rejected with %s if the certificate is for another host',
    async (mode) => {
      const query = `?sslmode=${mode}&sslrootcert=${authority}`
      await expect(isEncrypted(query, '127.0.0.1')).rejects.toThrow(/does not match|altnames/i)
    },
  )

  it('is rejected if the file of the CA is another one', async () => {
    const { certificate } = createCertificate('elsewhere')
    await expect(isEncrypted(`?sslmode=verify-full&sslrootcert=${certificate}`)).rejects.toThrow(
      /certificate/,
    )
  })
})
