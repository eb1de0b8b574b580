import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SentryCli } from '@sentry/cli'
import SentryCli2 from 'sentry-cli-2'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addToken, startApiServer } from '#test/api-server.ts'
import { envelopeOf, errorEnvelope } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject, type TestServer } from '#test/start-server.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'

/** The real sentry-cli, in both current majors, against a real server: all commands of docs/api.md. */

const run = promisify(execFile)
const binaries = [
  ['2.58', SentryCli2.getPath()],
  ['3.8', SentryCli.getPath()],
] as const

describe.each(binaries)('sentry-cli %s', (version, binary) => {
  let server: TestServer
  let home: TempDir
  let repository: string
  let token: string

  beforeAll(async () => {
    server = await startApiServer()
    home = await createTempDir()
    token = await addToken(server)
    repository = join(home.path, 'shop')
    await makeRepository(repository)
    await send(errorEnvelope({ value: 'boom', release: 'shop@1.0.0' }))
    const event = {
      message: 'Stock ran out',
      fingerprint: ['stock'],
      user: { id: '7', email: 'ada@example.com' },
      tags: { region: 'eu' },
    }
    await send(envelopeOf({}, ['event', event]))
    await send(errorEnvelope({ type: 'OtherError' }), otherProject)
  })
  afterAll(async () => {
    await server.stop()
    await home.remove()
  })

  async function send(body: string, project: { id: number; publicKey: string } = fixtureProject) {
    await postEnvelope(server.origin, body, { project })
  }

  async function makeRepository(path: string): Promise<void> {
    await mkdir(path)
    await git('init', '-q')
    for (const change of ['First light', 'Fix the cart']) await commit(change)
    await git('remote', 'add', 'origin', 'https://git.example.com/shop/shop.git')
  }

  async function git(...words: string[]): Promise<string> {
    const env = { ...process.env, HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' }
    const named = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words]
    return (await run('git', named, { cwd: repository, env })).stdout.trim()
  }

  async function commit(message: string): Promise<void> {
    await writeFile(join(repository, 'cart.js'), `// ${message}\n`)
    await git('add', '.')
    await git('commit', '-qm', message)
  }

  /** Runs it with its own environment, and returns its output. Throws when it fails. */
  async function cli(...words: string[]): Promise<string> {
    const { stdout, stderr } = await run(binary, words, {
      env: {
        HOME: home.path,
        SENTRY_URL: server.origin,
        SENTRY_AUTH_TOKEN: token,
        SENTRY_ORG: 'default',
        SENTRY_PROJECT: fixtureProject.name,
        SENTRY_DSN: await server.dsn(fixtureProject.id),
      },
      cwd: repository,
      timeout: 20_000,
    })
    return stdout + stderr
  }

  const read = (sql: string) => server.services.store.connection.prepare(sql).all()
  const statuses = (projectId: number = fixtureProject.id) =>
    read(`SELECT status FROM issues WHERE project_id = ${projectId}`).map((row) => String(row['status']))

  it('has the expected version', async () => {
    expect(await cli('--version')).toContain(`sentry-cli ${version}.`)
  })

  it('shows its user', async () => {
    const printed = await cli('info')
    expect(printed).toContain('tool@example.com')
    expect(printed).toContain('project:releases')
  })

  it('lists organizations, projects and repositories', async () => {
    expect(await cli('organizations', 'list')).toContain('Default')
    expect(await cli('projects', 'list')).toContain(fixtureProject.name)
    expect(await cli('repos', 'list')).toContain('No repos found')
  })

  it('lists issues, all of them and those of a query', async () => {
    const printed = await cli('issues', 'list')
    expect(printed).toContain('TypeError: boom')
    expect(printed).toContain('Stock ran out')
    expect(printed).not.toContain('OtherError')
    expect(await cli('issues', 'list', '--query', 'error.type:TypeError')).not.toContain('Stock ran out')
    expect(await cli('issues', 'list', '--query', 'is:resolved')).toContain('No issues found')
  })

  it('lists events, with their users and tags', async () => {
    const printed = await cli('events', 'list', '--show-user', '--show-tags')
    expect(printed).toContain('TypeError: boom')
    expect(printed).toContain('ada@example.com')
    expect(printed).toContain('region: eu')
  })

  describe('changes issues', () => {
    beforeEach(async () => {
      await cli('issues', 'unresolve', '--all')
    })

    it('and reopens all of them', () => {
      expect(new Set(statuses())).toEqual(new Set(['unresolved']))
    })

    it('one by its id', async () => {
      const id = /\d{6,}/.exec(await cli('issues', 'list'))?.[0] ?? ''
      await cli('issues', 'resolve', '--id', id)
      expect(statuses().toSorted()).toEqual(['resolved', 'unresolved'])
    })

    it.each([
      [['resolve'], 'resolved'],
      [['mute'], 'archived'],
    ] as const)('all of the project, and of no other: %j', async (words, status) => {
      await cli('issues', ...words, '--all')
      expect(new Set(statuses())).toEqual(new Set([status]))
      expect(statuses(otherProject.id)).toEqual(['unresolved'])
    })

    it('those in a status', async () => {
      const id = /\d{6,}/.exec(await cli('issues', 'list'))?.[0] ?? ''
      await cli('issues', 'resolve', '--id', id)
      await cli('issues', 'mute', '--status', 'unresolved')
      expect(statuses().toSorted()).toEqual(['archived', 'resolved'])
      await cli('issues', 'unresolve', '--status', 'resolved')
      expect(statuses().toSorted()).toEqual(['archived', 'unresolved'])
    })
  })

  it('handles a release from its creation to its deploy', async () => {
    await cli('releases', 'new', 'shop@1.1.0', '--url', 'https://ci.example.com/7')
    await cli('releases', 'set-commits', 'shop@1.1.0', '--local')
    await cli('deploys', 'new', '--release', 'shop@1.1.0', '-e', 'production', '-n', 'night')
    await cli('releases', 'finalize', 'shop@1.1.0')
    expect(await cli('releases', 'list')).toMatch(/shop@1\.1\.0[^]*shop@1\.0\.0/)
    const info = await cli('releases', 'info', 'shop@1.1.0', '--show-projects', '--show-commits')
    expect(info).toContain(fixtureProject.name)
    expect(read(`SELECT message, files FROM release_commits ORDER BY number`)).toMatchObject([
      { message: expect.stringContaining('Fix the cart') as string, files: '["cart.js"]' },
      { message: expect.stringContaining('First light') as string },
    ])
    expect(await cli('deploys', 'list', '--release', 'shop@1.1.0')).toContain('production')
    const [row] = read(`SELECT released_at, url FROM releases WHERE version = 'shop@1.1.0'`)
    expect(row).toMatchObject({ url: 'https://ci.example.com/7' })
    expect(Number(row?.['released_at'])).toBeGreaterThan(0)
    await cli('releases', 'set-commits', 'shop@1.1.0', '--auto', '--ignore-missing')
    await cli('releases', 'delete', 'shop@1.1.0')
    expect(await cli('releases', 'list')).not.toContain('shop@1.1.0')
  })

  it('resolves in a release the issues that its commits fix, once', async () => {
    const names = read(
      `SELECT p.slug || '-' || i.number AS name FROM issues i JOIN projects p ON p.id = i.project_id
      WHERE i.title IN ('TypeError', 'OtherError') ORDER BY p.id`,
    ).map((row) => String(row['name']))
    await cli('issues', 'unresolve', '--all')
    await commit(`Empty carts of guests\n\nFixes: ${names.join(', ')}.`)
    await cli('releases', 'new', 'shop@1.2.0')
    await cli('releases', 'set-commits', 'shop@1.2.0', '--local')
    await cli('releases', 'set-commits', 'shop@1.2.0', '--local')
    expect(statuses().toSorted()).toEqual(['resolved', 'unresolved'])
    expect(statuses(otherProject.id)).toEqual(['resolved'])
    const id = await git('rev-parse', 'HEAD')
    const entries = read(
      `SELECT detail FROM issue_activity WHERE action_id LIKE 'commit-%' ORDER BY project_id`,
    )
    expect(entries.map((row): unknown => JSON.parse(String(row['detail'])))).toMatchObject([
      {
        after: { condition: { kind: 'release', release: 'shop@1.2.0' } },
        commit: { id, authorName: 'Ada', subject: 'Empty carts of guests' },
      },
      { after: { condition: null }, commit: { id } },
    ])
    await cli('issues', 'unresolve', '--all')
    await cli('releases', 'new', 'shop@1.2.1')
    await cli('releases', 'set-commits', 'shop@1.2.1', '--local')
    expect(statuses()).toEqual(['unresolved', 'unresolved'])
    for (const made of ['shop@1.2.0', 'shop@1.2.1']) await cli('releases', 'delete', made)
  })

  it('archives a release and restores it, in its own projects only', async () => {
    const rows = () => read(`SELECT project_id, is_archived FROM releases WHERE version = 'old@1'`)
    await cli('releases', 'new', 'old@1')
    await cli('releases', 'archive', 'old@1')
    expect(rows()).toEqual([{ project_id: fixtureProject.id, is_archived: 1 }])
    await cli('releases', 'restore', 'old@1')
    expect(rows()).toEqual([{ project_id: fixtureProject.id, is_archived: 0 }])
    await expect(cli('releases', 'archive', 'never@1')).rejects.toThrow(/release never@1 does not exist/)
    expect(read(`SELECT 1 FROM releases WHERE version = 'never@1'`)).toEqual([])
  })

  it('proposes a version', async () => {
    expect(await cli('releases', 'propose-version')).toMatch(/^[0-9a-f]{40}/)
  })

  it('sends an event and an envelope', async () => {
    const printed = await cli('send-event', '-m', 'Deploy is late', '--release', 'shop@2.0.0')
    expect(printed).toMatch(/[0-9a-f-]{32,36}/)
    const file = join(home.path, 'envelope')
    await writeFile(
      file,
      errorEnvelope({ type: 'EnvelopeError', header: { dsn: await server.dsn(fixtureProject.id) } }),
    )
    await cli('send-envelope', '--raw', file)
    const titles = read('SELECT title FROM issues').map((row) => String(row['title']))
    expect(titles).toEqual(expect.arrayContaining(['Deploy is late', 'EnvelopeError']))
  })

  it('injects debug ids and uploads source maps', async () => {
    const build = join(home.path, 'build')
    await mkdir(build)
    await writeFile(join(build, 'app.js'), 'console.log(1)\n//# sourceMappingURL=app.js.map\n')
    const map = {
      version: 3,
      sources: ['app.ts'],
      sourcesContent: ['console.log(1)'],
      names: [],
      mappings: 'AAAA',
    }
    await writeFile(join(build, 'app.js.map'), JSON.stringify(map))
    await cli('sourcemaps', 'inject', build)
    await cli('sourcemaps', 'upload', '--release', 'shop@3.0.0', build)
    const uploads = read(`SELECT release, file_count FROM artifact_bundles WHERE is_complete = 1`)
    expect(uploads).toEqual([{ release: 'shop@3.0.0', file_count: 2 }])
  })
})
