import { once } from 'node:events'
import { chmod, readdir } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { listenLocally } from '#test/listen-locally.ts'
import { textLike, textWith } from '#test/matchers.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { runCommand } from '#test/run-command.ts'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { expectThroughout, pause } from '#test/waiting.ts'
import { commands } from '../../bin/commands/commands.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
})

const key = 'e12d836b15bb49d7bbf99e64295d995b'
const disabledKey = 'd15ab1edd15ab1edd15ab1edd15ab1ed'

function run(args: string[], variables: Record<string, string> = {}, cwd?: string) {
  return runCulvert(args, { CULVERT_DATA_DIR: dataDir, ...variables }, cwd)
}

describe('culvert project', () => {
  it('add prints id, name and DSN; list shows it with the initial projects', async () => {
    const added = await run(['project', 'add', 'Web Shop', '--id', '42', '--key', key])
    expect(added).toEqual({
      code: 0,
      stdout: `id    42\nname  Web Shop\nDSN   http://${key}@127.0.0.1:3000/42\n`,
      stderr: `Created a new installation in ${dataDir}.\n`,
    })
    const listed = await run(['project', 'list', '--json'], { CULVERT_ORIGIN: 'https://culvert.example.com' })
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id: 1,
        slug: 'culvert',
        name: 'Culvert',
        dsn: textLike(/^https:\/\/[0-9a-f]{32}@culvert.example.com\/1$/),
      },
      { id: 2, slug: 'app', name: 'App', dsn: textLike(/\/2$/) },
      { id: 42, slug: 'web-shop', name: 'Web Shop', dsn: `https://${key}@culvert.example.com/42` },
    ])
    expect((await run(['project', 'list'])).stdout).toContain('42  Web Shop')
  })
})

describe('culvert', () => {
  it('prints its version with the release and the schema', async () => {
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      stdout: textLike(/^culvert \d+\.\d+\.\d+(?:-dev\.\d+)? \(.+\), schema \d+, Node\.js \d+/),
    })
  })

  it('prints help, and reports unknown words', async () => {
    expect((await run(['help'])).stdout).toContain('project add NAME')
    expect(await run([])).toMatchObject({ code: 0, stdout: textWith('Usage') })
    expect(await run(['project', 'destroy'])).toMatchObject({
      code: 2,
      stderr: textLike(/"project destroy"[^]*project delete/),
    })
    expect(await run(['project', '--help'])).toMatchObject({ code: 0, stdout: textWith('project list') })
    expect(await run(['key', 'add', '--help'])).toMatchObject({
      code: 0,
      stdout: textWith('Usage: culvert key add'),
    })
  })
})

/** Valid arguments of each command that needs an installation and creates none. */
const needingInstallation = [
  'backup copy.db',
  'dead-letters delete 2:0f0e0d0c-0b0a-4908-8706-050403020100',
  'dead-letters list',
  'dead-letters retry --all',
  'destination add webhook ops url=https://hooks.example.com/',
  'destination list',
  'destination remove ops',
  'destination test ops',
  'doctor',
  'import compare',
  'key add 2',
  `key disable ${key}`,
  `key enable ${key}`,
  'key list',
  'limits set 2 --reset',
  'limits show 2',
  'ownership set 2 --auto-assign on',
  'ownership show 2',
  'project delete app --confirm app',
  'project list',
  'retention run',
  'retention set 2 --days 30',
  'retention show',
  'rule add 2 --name x --when new --notify members',
  'rule export',
  'rule import package.json',
  'rule list',
  'scrubbing set 2 --reset',
  'scrubbing show 2',
  'upstream add 2 https://0123456789abcdef0123456789abcdef@o1.ingest.us.sentry.io/42',
  'upstream list',
  'upstream mode 2 both',
  'upstream pause 2',
  'upstream remove 2',
  'upstream resume 2',
  'user disable-two-factor ada@example.com',
  'user set-role ada@example.com owner',
  'user disconnect-provider ada@example.com',
  'user remove ada@example.com',
  'user reset-password ada@example.com',
]

describe('culvert in a folder without an installation', () => {
  it.each(Object.keys(commands))('"%s" is tested here, or may create one', (name) => {
    const creates = [
      'help',
      '--help',
      '-h',
      'version',
      '--version',
      'start',
      'migrate',
      'copy',
      'project add',
      'user add',
      'restore',
      'import sentry',
      'import glitchtip',
      'import bugsink',
    ].includes(name)
    expect(needingInstallation.some((command) => `${command} `.startsWith(`${name} `))).toBe(!creates)
  })

  // In this process: one of its own for each takes 0.1 s of the processor.
  it.each(needingInstallation)('%s reports the folder, exits with 1 and creates nothing', async (command) => {
    const path = join(dataDir, 'absent')
    const words = command.split(' ')
    const name = Object.keys(commands).find((known) => `${command} `.startsWith(`${known} `)) ?? ''
    const load = commands[name]
    if (load === undefined) throw new Error(`There is no command ${command}.`)
    const args = words.slice(name.split(' ').length)
    expect(await runCommand(await load(), args, { CULVERT_DATA_DIR: path })).toEqual({
      code: 1,
      stdout: '',
      stderr: textLike(
        new RegExp(`^No Culvert installation in ${path}\\. Set CULVERT_DATA_DIR to .*"npm start"\\.\n$`),
      ),
    })
    expect(await readdir(dataDir)).toEqual([])
  })

  it('names the default folder when CULVERT_DATA_DIR is not set', async () => {
    const result = await run(['project', 'list'], { CULVERT_DATA_DIR: '' }, dataDir)
    expect(result).toMatchObject({
      code: 1,
      stderr: textWith(`installation in ${join(dataDir, 'data')}. Set`),
    })
    expect(await readdir(dataDir)).toEqual([])
  })

  it('user add creates one and reports its folder once', async () => {
    const created = await run(['user', 'add', 'ada@example.com', '--role', 'owner'])
    expect(created).toMatchObject({ code: 0, stderr: `Created a new installation in ${dataDir}.\n` })
    expect(await run(['user', 'add', 'bob@example.com'])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('culvert start', () => {
  it('lists every invalid setting and exits with 2', async () => {
    const result = await run(['start'], {
      PORT: 'x',
      LOG_LEVEL: 'loud',
      CULVERT_OIDC_ISSUER: 'http://elsewhere.example',
    })
    expect(result).toMatchObject({
      code: 2,
      stdout: '',
      stderr: textLike(/PORT is "x"[^]*LOG_LEVEL[^]*CULVERT_OIDC_ISSUER/),
    })
  })

  it('rejects a database of a newer version with one sentence and the solution', async () => {
    await run(['project', 'add', 'Shop'])
    const file = join(dataDir, 'culvert.db')
    const newer = new DatabaseSync(file)
    newer.exec(
      `INSERT INTO schema_migrations VALUES (9999, '9999_future', 0); PRAGMA wal_checkpoint(TRUNCATE)`,
    )
    newer.close()
    expect(await run(['start'])).toEqual({
      code: 1,
      stdout: '',
      stderr: textLike(
        /^[^\n]* was written by a newer Culvert: its schema has version 9999, this one knows \d+\. Start the newer version, or restore a backup from before the upgrade\.\n$/,
      ),
    })
    const { code, stderr } = await run(['doctor'])
    expect([code, stderr]).toEqual([1, textWith('was written by a newer Culvert')])
  })

  it('reports a port in use', async () => {
    const other = createServer()
    const port = await listenLocally(other)
    const result = await run(['start', '--ingest-only'], { PORT: String(port) })
    other.close()
    expect(result).toMatchObject({
      code: 1,
      stderr: textWith(`Port ${port} on 127.0.0.1 is in use`),
    })
  })

  it('reports a data directory that cannot be created', async () => {
    const blocked = join(dataDir, 'blocked')
    await chmod(dataDir, 0o500)
    // Root may write anywhere; a path below a file fails for root too.
    const path = process.getuid?.() === 0 ? join(import.meta.filename, 'data') : blocked
    const result = await run(['start', '--ingest-only'], { CULVERT_DATA_DIR: path })
    await chmod(dataDir, 0o700)
    expect(result).toMatchObject({
      code: 1,
      stderr: textLike(/data directory .* cannot be used: .*CULVERT_DATA_DIR/),
    })
  })

  it('prints address, DSN and data, logs JSON only, and stores its origin for the command line', async () => {
    const server = await startServerProcess({ dataDir })
    await expect.poll(server.stderr).toContain(join(dataDir, 'culvert.db'))
    const dsn = /http:\/\/[0-9a-f]{32}@127\.0\.0\.1:[0-9]+\/2/.exec(server.stderr())?.[0]
    expect(server.stderr()).toContain(server.origin)
    expect(dsn).toContain(new URL(server.origin).host)
    const listed = await run(['project', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toContainEqual({ id: 2, slug: 'app', name: 'App', dsn })
    expect(await server.end('SIGTERM')).toBe(0)
    expect(server.log.map((entry) => entry['msg'])).toEqual(['listening', 'stopping', 'stopped'])
  })

  it('logs names of settings that do not exist', async () => {
    const server = await startServerProcess({ dataDir, variables: { CULVERT_SMPT_URL: 'smtp://a.example' } })
    expect(await server.end('SIGTERM')).toBe(0)
    expect(server.log).toContainEqual(
      expect.objectContaining({ unknown: ['CULVERT_SMPT_URL'], msg: 'unknown settings have no effect' }),
    )
  })

  it('has written its compile cache when it listens, so that its end does not wait for the disk', async () => {
    const variables = { NODE_COMPILE_CACHE: join(dataDir, 'compiled') }
    const server = await startServerProcess({ dataDir, variables })
    const count = async () => (await readdir(variables.NODE_COMPILE_CACHE, { recursive: true })).length
    const countWhenListening = await count()
    expect(countWhenListening).toBeGreaterThan(20)
    expect(await server.end('SIGTERM')).toBe(0)
    // Threads write theirs, which are fewer.
    expect(await count()).toBeLessThan(countWhenListening * 1.75)
  })

  it('listens on other addresses than loopback only if there is an account', async () => {
    const variables = { HOST: '0.0.0.0', PORT: '0' }
    const rejected = await run(['start'], variables)
    expect(rejected).toMatchObject({ code: 2, stderr: textLike(/HOST is "0.0.0.0"[^]*user add/) })
    expect(await run(['user', 'add', 'ada@example.com', '--role', 'owner'], {})).toMatchObject({ code: 0 })
    const server = await startServerProcess({ dataDir, args: [], variables })
    expect(await server.end('SIGINT')).toBe(0)
  })

  it('applies changes by the command line within a second', async () => {
    const server = await startServerProcess({ dataDir })
    const send = async (publicKey: string) =>
      (await postEnvelope(server.origin, errorEnvelope(), { project: { id: 42, publicKey } })).status
    await run(['project', 'add', 'fixture', '--id', '42', '--key', key])
    await run(['key', 'add', '42', '--key', disabledKey, '--disabled'])
    expect([await send(key), await send(disabledKey)]).toEqual([200, 403])
    await run(['limits', 'set', '42', '--per-key', 'error=0'])
    await expect.poll(() => send(key)).toBe(429)
    await run(['limits', 'set', '42', '--per-key', 'error=none'])
    await expect.poll(() => send(key)).toBe(200)
    await run(['key', 'disable', key])
    await expect.poll(() => send(key)).toBe(403)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('finishes the request in flight on SIGTERM, and accepts no further one', async () => {
    await run(['project', 'add', 'fixture', '--id', '42', '--key', key])
    const server = await startServerProcess({ dataDir })
    const eventId = randomEventId()
    const body = errorEnvelope({ eventId })
    const { hostname, port } = new URL(server.origin)
    const upload = connect(Number(port), hostname)
    const head = `POST /api/42/envelope/?sentry_key=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`
    upload.write(head + body.slice(0, 50))
    await once(upload, 'connect')
    // Answered after the first half was read: a request that the server has not read is not in flight.
    await fetch(server.origin)
    const ended = server.end('SIGTERM')
    await expect.poll(() => server.log.some((entry) => entry['msg'] === 'stopping')).toBe(true)
    // A connection that is still open from an earlier request may be closed a moment later.
    await expect.poll(() => fetch(server.origin).catch(() => 'rejected')).toBe('rejected')
    upload.end(body.slice(50))
    expect(await text(upload)).toMatch(new RegExp(`^HTTP/1.1 200 OK[^]*{"id":"${eventId}"}$`))
    expect(await ended).toBe(0)

    const again = await startServerProcess({ dataDir })
    const resent = await postEnvelope(again.origin, body)
    expect(await resent.json()).toEqual({ id: eventId })
    await again.end('SIGTERM')
  })

  it('exits immediately on a second SIGINT, but counts a signal that is delivered twice as one, and ignores repeated SIGTERMs', async () => {
    const server = await startServerProcess({ dataDir })
    const { hostname, port } = new URL(server.origin)
    const hanging = connect(Number(port), hostname).on('error', () => undefined)
    hanging.write('POST /api/2/envelope/ HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n')
    await fetch(server.origin)
    server.child.kill('SIGINT')
    await expect.poll(() => server.log.some((entry) => entry['msg'] === 'stopping')).toBe(true)
    server.child.kill('SIGINT')
    // Longer than the same signal counts once.
    await pause(1_200)
    server.child.kill('SIGTERM')
    await expectThroughout(200, () => expect(server.child.exitCode).toBeNull())
    expect(await server.end('SIGINT')).not.toBe(0)
  })
})
