import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SentryCli } from '@sentry/cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addToken, startApiServer } from '../support/api-server.ts'
import { errorEnvelope } from '../support/envelopes.ts'
import { fixtureProject, type TestServer } from '../support/start-server.ts'
import { createTempDir, type TempDir } from '../support/temp-dir.ts'

/** The real sentry-cli against a real server. */

const run = promisify(execFile)
let server: TestServer
let home: TempDir
let token: string

beforeAll(async () => {
  server = await startApiServer()
  home = await createTempDir()
  token = await addToken(server)
  await fetch(`${server.origin}/api/${fixtureProject.id}/envelope/?sentry_key=${fixtureProject.publicKey}`, {
    method: 'POST',
    body: errorEnvelope({ value: 'boom', release: 'shop@1.0.0' }),
  })
})
afterAll(async () => {
  await server.stop()
  await home.remove()
})

/** Runs it with an environment of its own, and answers with what it printed. Throws when it fails. */
async function cli(...words: string[]): Promise<string> {
  const { stdout, stderr } = await run(SentryCli.getPath(), words, {
    env: {
      HOME: home.path,
      SENTRY_URL: server.origin,
      SENTRY_AUTH_TOKEN: token,
      SENTRY_ORG: 'default',
      SENTRY_PROJECT: fixtureProject.name,
      SENTRY_DSN: await server.dsn(fixtureProject.id),
    },
    cwd: home.path,
    timeout: 20_000,
  })
  return stdout + stderr
}

describe('sentry-cli', () => {
  it('knows who it is', async () => {
    const printed = await cli('info')
    expect(printed).toContain('tool@example.com')
    expect(printed).toContain('project:releases')
  })

  it('lists organizations and projects', async () => {
    expect(await cli('organizations', 'list')).toContain('Default')
    expect(await cli('projects', 'list')).toContain(fixtureProject.name)
  })

  it('lists issues and events, and resolves', async () => {
    const printed = await cli('issues', 'list')
    expect(printed).toContain('TypeError: boom')
    expect(await cli('events', 'list')).toContain('TypeError')
    const id = /\d{6,}/.exec(printed)?.[0] ?? ''
    await cli('issues', 'resolve', '--id', id)
    const row = server.services.store.sqlite.prepare('SELECT status FROM issues').get()
    expect(row).toEqual({ status: 'resolved' })
  })

  it('takes a release from its beginning to its deploy', async () => {
    await cli('releases', 'new', 'shop@1.1.0', '--url', 'https://ci.example.com/7')
    await cli('deploys', 'new', '--release', 'shop@1.1.0', '-e', 'production', '-n', 'night')
    await cli('releases', 'finalize', 'shop@1.1.0')
    expect(await cli('releases', 'list')).toMatch(/shop@1\.1\.0[^]*shop@1\.0\.0/)
    expect(await cli('releases', 'info', 'shop@1.1.0')).toContain('shop@1.1.0')
    expect(await cli('deploys', 'list', '--release', 'shop@1.1.0')).toContain('production')
    const row = server.services.store.sqlite
      .prepare(`SELECT released_at, url FROM releases WHERE version = 'shop@1.1.0'`)
      .get()
    expect(row).toMatchObject({ url: 'https://ci.example.com/7' })
    expect(Number(row?.['released_at'])).toBeGreaterThan(0)
    await cli('releases', 'delete', 'shop@1.1.0')
    expect(await cli('releases', 'list')).not.toContain('shop@1.1.0')
  })

  it('sends an event', async () => {
    const printed = await cli('send-event', '-m', 'Deploy is late', '--release', 'shop@2.0.0')
    expect(printed).toMatch(/[0-9a-f-]{32,36}/)
    const titles = server.services.store.sqlite.prepare('SELECT title FROM issues').all()
    expect(titles).toContainEqual({ title: 'Deploy is late' })
  })
})
