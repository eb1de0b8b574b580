import { chown, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openInstallation } from '#server/data-dir/open-installation.ts'
import { listenLocally } from '#test/listen-locally.ts'
import {
  findPostgresOwner,
  findPostgresPrograms,
  startPostgresCluster,
  type PostgresCluster,
} from '#test/postgres-cluster.ts'
import { runCulvert, startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'
import { findSmallDiskHindrance, mountSmallDisk, skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, type Ledger } from './support/ledger.ts'
import { postEvent, sendEvent, startLoad } from './support/load.ts'
import { findPostgresViolations } from './support/process-kills.ts'

/** Invalid values of `DATABASE_URL`, and failures of PostgreSQL under a running server. */

const hindrance = findPostgresPrograms() === undefined ? 'no PostgreSQL is installed' : undefined
const diskHindrance = hindrance ?? findSmallDiskHindrance()
const mostConnections = 30

let cluster: PostgresCluster
let dataDir: TempDir

beforeAll(async () => {
  dataDir = await createTempDir()
  if (hindrance === undefined)
    cluster = await startPostgresCluster({ settings: { max_connections: String(mostConnections) } })
})
afterAll(async () => {
  if (hindrance === undefined) await cluster.stop()
  await dataDir.remove()
})

/** Runs statements as the superuser. */
async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a role that must prove its password. All others are trusted. */
async function requirePassword(role: string, password: string): Promise<void> {
  const file = join(cluster.folder, 'data/pg_hba.conf')
  await writeFile(file, `local all ${role} scram-sha-256\n${await readFile(file, 'utf8')}`)
  await execute(
    cluster.urlOf('postgres'),
    `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`,
    'SELECT pg_reload_conf()',
  )
}

it.skipIf(hindrance !== undefined)(
  `a running process that gets no further connection logs each reason and its solution once${skipNote(hindrance)}`,
  async () => {
    const crowded = await cluster.createDatabase('refusing')
    await execute(crowded, 'CREATE ROLE refused LOGIN', 'ALTER DATABASE refusing OWNER TO refused')
    const databaseUrl = crowded.replace('//culvert@', '//refused@')
    const lines: string[] = []
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (_facts: object, text: string) => void lines.push(text),
    }
    const { store, close } = await openInstallation(
      { dataDir: '', databaseUrl },
      { setsDamageAside: false, log },
    )
    onTestFinished(close)
    await execute(crowded, 'ALTER ROLE refused CONNECTION LIMIT 0')
    for (let count = 0; count < 2; count += 1)
      await expect(store.db.selectFrom('projects').select('id').execute()).rejects.toThrow('UNREACHABLE')
    expect(lines).toEqual([
      expect.stringMatching(/too many connections for role "refused".*raise max_connections/),
    ])
    await execute(crowded, 'ALTER ROLE refused NOLOGIN')
    for (let count = 0; count < 2; count += 1)
      await expect(store.db.selectFrom('projects').select('id').execute()).rejects.toThrow('UNREACHABLE')
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/role "refused" is not permitted to log in.*Check the user and the password/),
    ])
  },
)

describe.skipIf(hindrance !== undefined)(`a start with DATABASE_URL${skipNote(hindrance)}`, () => {
  /** The URL of a case, after its preparation. */
  const cases: [what: string, prepare: () => Promise<string>, message: RegExp][] = [
    ['of something else', async () => 'https://example.com/culvert', /DATABASE_URL.*postgres:\/\//s],
    [
      'of a server that does not run',
      async () => 'postgres://culvert@127.0.0.1:1/culvert',
      /cannot be opened: connect ECONNREFUSED .*Check the host and the port in DATABASE_URL/,
    ],
    ['of a database that is not there', async () => cluster.urlOf('none'), /database "none" does not exist/],
    [
      'of a user that is not there',
      async () => cluster.urlOf('postgres').replace('//culvert@', '//nobody:secret@'),
      /role "nobody" does not exist/,
    ],
    [
      'of a user with another password',
      async () => {
        await requirePassword('careful', 'the right one')
        return cluster.urlOf('postgres').replace('//culvert@', '//careful:secret@')
      },
      /password authentication failed for user "careful".*Check the user and the password in DATABASE_URL/s,
    ],
    [
      'of a user without the password',
      async () => {
        await requirePassword('cautious', 'the right one')
        return cluster.urlOf('postgres').replace('//culvert@', '//cautious@')
      },
      /password.*Check the user and the password in DATABASE_URL/s,
    ],
    [
      'of a server without a free connection',
      async () => {
        const url = await cluster.createDatabase('crowded')
        const others = await takeConnections('crowded')
        onTestFinished(async () => void (await Promise.all(others.map((client) => client.end()))))
        return url
      },
      /too many clients.*raise max_connections, or put PgBouncer in front of it/s,
    ],
    [
      'of a database of another program',
      async () => {
        const url = await cluster.createDatabase('foreign')
        await execute(url, 'CREATE TABLE issues (id integer)')
        return url
      },
      /another (?:program|application)|not Culvert|other tables/i,
    ],
    [
      'of a database with another encoding',
      async () => {
        const encoding = "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        await execute(cluster.urlOf('postgres'), `CREATE DATABASE latin ${encoding}`)
        return cluster.urlOf('latin')
      },
      /the database has the encoding LATIN1\. Create an empty database with ENCODING 'UTF8'/i,
    ],
    [
      'that asks for TLS, which the server does not have',
      async () => `${cluster.urlOf('postgres')}&sslmode=require`,
      /does not support SSL connections\. Check sslmode and sslrootcert in DATABASE_URL/,
    ],
    [
      'with a file of certificates that does not exist',
      async () => `${cluster.urlOf('postgres')}&sslmode=verify-full&sslrootcert=/nowhere.pem`,
      /open '\/nowhere\.pem'\. Check sslmode and sslrootcert in DATABASE_URL/,
    ],
    [
      'of a schema that is newer than the build',
      async () => {
        const url = await cluster.createDatabase('newer')
        await addFixtureProject(dataDir.path, { DATABASE_URL: url })
        await execute(url, "INSERT INTO schema_migrations VALUES (99, 'later', 0)")
        return url
      },
      /newer/,
    ],
    [
      'of a user that may only read',
      async () => {
        const url = await cluster.createDatabase('reading')
        await addFixtureProject(dataDir.path, { DATABASE_URL: url })
        await execute(
          url,
          'CREATE ROLE reader LOGIN',
          'GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader',
        )
        return url.replace('//culvert@', '//reader@')
      },
      /the user may not change the tables of Culvert\. The user must own the database/,
    ],
  ]

  it.each(cases)(
    '%s ends with one message that names the remedy',
    { tags: 'full' },
    async (_what, prepare, message) => {
      const url = await prepare()
      const startedAt = performance.now()
      const { code, stderr } = await runCulvert(['start'], {
        PORT: '0',
        CULVERT_DATA_DIR: dataDir.path,
        DATABASE_URL: url,
      })
      expect(stderr).toMatch(message)
      // Before the server's authentication_timeout of a minute.
      expect(performance.now() - startedAt).toBeLessThan(50_000)
      expect([1, 2]).toContain(code)
      expect(stderr).not.toMatch(/^\s+at |Warning:/m)
      expect(stderr).not.toContain('secret')
    },
  )
})

/** A server with a new database, which it reaches at another URL if one is given. */
async function startOn(url: string, serverUrl = url): Promise<{ server: ServerProcess; ledger: Ledger }> {
  await addFixtureProject(dataDir.path, { DATABASE_URL: url })
  const server = await startServerProcess({ dataDir: dataDir.path, variables: { DATABASE_URL: serverUrl } })
  return { server, ledger: createLedger() }
}

/** Ends the connections to a database, and opens all that the cluster allows. */
async function takeConnections(database: string): Promise<Client[]> {
  const clients: Client[] = []
  for (;;) {
    const client = new Client({ connectionString: cluster.urlOf('postgres') })
    try {
      await client.connect()
    } catch {
      const [first] = clients
      const ended = await first?.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [database],
      )
      if (ended?.rowCount === 0) return clients
      continue
    }
    clients.push(client)
  }
}

/** Sends events until one is acknowledged. */
async function waitUntilTaken(origin: string, ledger: Ledger): Promise<void> {
  await expect.poll(() => sendEvent({ origin, ledger }), { timeout: 60_000 }).toBe(200)
}

interface SilentRouter {
  /** The address of a database through the router. */
  urlOf(database: string): string
  /** From now on the clients of open connections receive nothing, not even the end of their connection. */
  fallSilent(): void
}

/**
 * A router in front of the cluster. After it has fallen silent, a client finds that its connection was lost
 * when it sends the next statement: as with a process that was suspended, which reads the end of the
 * connection and the next request at the same moment.
 */
async function startSilentRouter(): Promise<SilentRouter> {
  const silence: (() => void)[] = []
  const router = createServer((client) => {
    const database = connect(join(cluster.folder, '.s.PGSQL.5432'))
    let [isSilent, isAnswered] = [false, true]
    silence.push(() => {
      isSilent = true
      database.destroy()
      // A client that waits for an answer notices at once.
      if (!isAnswered) client.destroy()
    })
    client.on('data', (chunk: Buffer) => {
      isAnswered = false
      if (isSilent) client.destroy()
      else database.write(chunk)
    })
    database.on('data', (chunk: Buffer) => {
      isAnswered = true
      if (!isSilent) client.write(chunk)
    })
    client.on('error', () => undefined).on('close', () => database.destroy())
    database.on('error', () => undefined).on('close', () => isSilent || client.destroy())
  })
  const port = await listenLocally(router)
  onTestFinished(() => void router.close())
  return {
    urlOf: (database) => `postgres://culvert@127.0.0.1:${port}/${database}?sslmode=disable`,
    fallSilent: () => silence.splice(0).forEach((each) => each()),
  }
}

async function endAndCompare(server: ServerProcess, url: string, ledger: Ledger): Promise<void> {
  expect(await server.end('SIGTERM')).toBe(0)
  expect(await findPostgresViolations({ url, ledger })).toEqual([])
}

describe.skipIf(hindrance !== undefined)(`a server on PostgreSQL${skipNote(hindrance)}`, () => {
  it('loses nothing and stores nothing twice when its connections are ended in the middle of batches', async () => {
    const url = await cluster.createDatabase('ended')
    const { server, ledger } = await startOn(url)
    const { origin } = server
    const load = startLoad({ origin, clientCount: 10, ledger })
    for (let round = 0; round < 20; round += 1) {
      const before = ledger.acked.size
      await expect.poll(() => ledger.acked.size, { timeout: 60_000 }).toBeGreaterThan(before + 5)
      await execute(
        cluster.urlOf('postgres'),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ended'",
      )
    }
    await load.stop()
    expect([...new Set(ledger.rejected.values())].filter((status) => status !== 429)).toEqual([])
    await waitUntilTaken(origin, ledger)
    expect(ledger.acked.size).toBeGreaterThan(100)
    await endAndCompare(server, url, ledger)
  })

  it('accepts the event that finds its connections lost', async () => {
    const router = await startSilentRouter()
    const url = await cluster.createDatabase('silent')
    const { server, ledger } = await startOn(url, router.urlOf('silent'))
    const { origin } = server
    await waitUntilTaken(origin, ledger)
    for (let round = 0; round < 5; round += 1) {
      router.fallSilent()
      expect(await sendEvent({ origin, ledger })).toBe(200)
    }
    await endAndCompare(server, url, ledger)
  })

  it('answers 429 or 503 with Retry-After while all connections are in use, then recovers', async () => {
    const url = await cluster.createDatabase('taken')
    const { server, ledger } = await startOn(url)
    const { origin } = server
    await waitUntilTaken(origin, ledger)
    const others = await takeConnections('taken')
    const rejection = await postEvent(origin, ledger)
    // SDKs wait after 429; pages, the API and probes get 503.
    expect(rejection.status).toBe(429)
    expect(rejection.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await fetch(`${origin}/readyz`)).status).toBe(503)
    await Promise.all(others.map((client) => client.end()))
    await waitUntilTaken(origin, ledger)
    await endAndCompare(server, url, ledger)
  })

  it.skipIf(diskHindrance !== undefined)(
    `answers 429 while the server’s disk is full, then recovers${skipNote(diskHindrance)}`,
    async () => {
      const disk = mountSmallDisk(64)
      onTestFinished(() => disk.remove())
      const owner = await findPostgresOwner()
      if (owner) await chown(disk.path, owner.uid, owner.gid)
      const url = cluster.urlOf('small')
      await execute(
        cluster.urlOf('postgres'),
        `CREATE TABLESPACE small LOCATION '${disk.path}'`,
        'CREATE DATABASE small TEMPLATE template0 TABLESPACE small',
      )
      const { server, ledger } = await startOn(url)
      const { origin } = server
      await waitUntilTaken(origin, ledger)
      const ballast = join(disk.path, 'ballast')
      await writeFile(ballast, Buffer.alloc(64 * 1024 * 1024)).catch(() => undefined)
      const load = startLoad({ origin, clientCount: 4, ledger, messageBytes: 6_000 })
      await expect.poll(() => ledger.rejected.size, { timeout: 60_000 }).toBeGreaterThan(10)
      await load.stop()
      expect([...new Set(ledger.rejected.values())]).toEqual([429])
      await rm(ballast)
      await waitUntilTaken(origin, ledger)
      await endAndCompare(server, url, ledger)
      await execute(cluster.urlOf('postgres'), 'DROP DATABASE small WITH (FORCE)', 'DROP TABLESPACE small')
    },
  )
})
