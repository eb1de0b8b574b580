import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import * as Sentry from '@sentry/node'
import { afterAll, describe, expect, it } from 'vitest'
import { answerMonitorBadge } from '#server/console/monitors/badge.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'

const server = await startServer()
afterAll(() => server.stop())

const { id, publicKey } = fixtureProject
const cron = (slug: string, query = '') => `${server.origin}/api/${id}/cron/${slug}/${publicKey}/${query}`
const ping = (path: string) => `${server.origin}/ping/${publicKey}/${path}`
const config = { schedule: { type: 'crontab', value: '0 4 * * *' }, timezone: 'Europe/Berlin' }

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** The stored rows of a monitor, after the queue was applied. */
async function readCheckIns(slug: string) {
  await server.services.monitorClock.check()
  return server.services.store.db
    .selectFrom('monitor_check_ins as c')
    .innerJoin('monitors as m', (on) => on.onRef('m.id', '=', 'c.monitor_id'))
    .select(['c.status', 'c.environment', 'c.duration_ms', 'c.body', 'm.settings'])
    .where('m.slug', '=', slug)
    .orderBy('c.at')
    .execute()
}

async function readOutcomes(): Promise<Record<string, number>> {
  await server.services.monitorClock.check()
  await server.services.rejectedCounts.flush()
  await server.services.committer.drain()
  const rows = await server.services.store.db
    .selectFrom('outcome_hours')
    .select((of) => ['reason', of.fn.sum<number>('quantity').as('quantity')])
    .where('category', '=', 'monitor')
    .where('outcome', '!=', 'accepted')
    .groupBy('reason')
    .execute()
  return Object.fromEntries(rows.map(({ reason, quantity }) => [reason, quantity]))
}

describe('the address of a check-in', () => {
  it('accepts GET and POST with 202 and without a body, and creates the monitor by its settings', async () => {
    const created = await post(cron('nightly'), { status: 'in_progress', monitor_config: config })
    expect([created.status, await created.text()]).toEqual([202, ''])
    const done = await fetch(cron('nightly', '?status=ok&duration=1.5'))
    expect([done.status, await done.text()]).toEqual([202, ''])
    expect(await readCheckIns('nightly')).toEqual([
      {
        status: 'ok',
        environment: 'production',
        duration_ms: 1500,
        body: null,
        settings: expect.stringContaining('Europe/Berlin') as string,
      },
    ])
  })

  it('reads the key from the same places as other requests', async () => {
    const answers = await Promise.all([
      fetch(`${server.origin}/api/${id}/cron/nightly/?status=ok&sentry_key=${publicKey}&environment=staging`),
      fetch(`${server.origin}/api/${id}/cron/nightly?status=ok&environment=staging`, {
        headers: { 'x-sentry-auth': `Sentry sentry_key=${publicKey}` },
      }),
      fetch(`${server.origin}/api/${id}/cron/nightly/?status=ok`),
      fetch(`${server.origin}/api/${id}/cron/nightly/${'0'.repeat(32)}/?status=ok`),
      fetch(cron('nightly', '?status=ok'), { method: 'PUT' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 401, 403, 405])
  })

  it('counts the problem in the outcomes, and answers 202', async () => {
    const bad = [
      { status: 'ok', monitor_config: { schedule: { type: 'crontab', value: '0 0 4 * * *' } } },
      { status: 'ok', monitor_config: { ...config, timezone: 'Mars/Base' } },
      { status: 'ok', monitor_config: { schedule: { type: 'interval', value: 0, unit: 'hour' } } },
      { status: 'ok', monitor_config: { ...config, max_runtime: -1 } },
      { status: 'ok', environment: 'x'.repeat(65) },
      { status: 'done' },
      { status: 'ok' },
    ]
    const answers = await Promise.all(bad.map((body, index) => post(cron(`bad-${index}`), body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect((await post(cron('%20'), { status: 'ok' })).status).toBe(202)
    expect(await readOutcomes()).toEqual({
      monitor_crontab: 1,
      monitor_timezone: 1,
      monitor_interval: 1,
      monitor_config: 1,
      monitor_environment: 1,
      monitor_status: 1,
      monitor_not_found: 1,
      monitor_slug: 1,
    })
  })

  it('never answers 429', async () => {
    const { store, projectKeys } = server.services
    const settings = JSON.stringify({ rateLimit: { isOn: true, count: 1, seconds: 3600 } })
    await store.writer
      .updateTable('project_keys')
      .set({ settings })
      .where('public_key', '=', publicKey)
      .execute()
    await projectKeys.refresh()
    const answers = []
    for (let index = 0; index < 4; index += 1)
      answers.push((await fetch(cron('nightly', '?status=ok'))).status)
    await store.writer
      .updateTable('project_keys')
      .set({ settings: '{}' })
      .where('public_key', '=', publicKey)
      .execute()
    await projectKeys.refresh()
    expect(answers).toEqual([202, 202, 202, 202])
  })
})

describe('the addresses of healthchecks.io', () => {
  it('start, end and fail runs, and store the output of the job', async () => {
    const run = async (path: string, body?: string) => {
      const answer = await fetch(ping(path), body === undefined ? {} : { method: 'POST', body })
      // Those of one millisecond have no order.
      const answeredAt = Date.now()
      await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(answeredAt)
      return answer
    }
    const answer = await run('backup/start?create=1')
    expect([answer.status, await answer.text(), answer.headers.get('ping-body-limit')]).toEqual([
      200,
      'OK',
      '10000',
    ])
    await run('backup', 'stored 7 files\0')
    await run('backup/log', 'only a text')
    await run('backup/137', 'killed, password=hunter2')
    await run('backup/0')
    await fetch(ping('backup/fail'), { method: 'HEAD' })
    expect((await readCheckIns('backup')).map(({ status, body }) => [status, body])).toEqual([
      ['ok', 'stored 7 files'],
      ['log', 'only a text'],
      ['error', expect.not.stringContaining('hunter2')],
      ['ok', null],
      ['error', null],
    ])
  })

  it('pair runs at the same time by rid', async () => {
    const [one, other] = ['1f5c5b8e-5f39-4d0f-8a6b-0f8b1a6f7f10', '2f5c5b8e-5f39-4d0f-8a6b-0f8b1a6f7f10']
    await fetch(ping(`pair/start?create=1&rid=${one}`))
    await fetch(ping(`pair/start?rid=${other}`))
    await fetch(ping(`pair/fail?rid=${one}`))
    expect((await readCheckIns('pair')).map(({ status }) => status)).toEqual(['error', 'in_progress'])
  })

  it('are called by curl as its users write it', async () => {
    await promisify(execFile)('curl', [
      '-fsS',
      '-m',
      '10',
      '--retry',
      '5',
      '-o',
      '/dev/null',
      ping('curl?create=1'),
    ])
    await promisify(execFile)('curl', ['-fsS', '-m', '10', '--data-raw', 'done', ping('curl')])
    expect((await readCheckIns('curl')).map(({ body }) => body)).toEqual([null, 'done'])
  })
})

/** A hundred check-ins of new monitors. */
const loopItems = (from: number) =>
  Array.from({ length: 100 }, (_, index) => {
    const payload = { monitor_slug: `loop-${from + index}`, status: 'ok', monitor_config: config }
    return `{"type":"check_in"}\n${JSON.stringify(payload)}\n`
  })

const badgeOf = (projectId: string, secret: string) =>
  answerMonitorBadge(server.services, { projectId, secret })

describe('the badge of a monitor', () => {
  it('is a picture of its state, without a session, and has its name as text', async () => {
    const name = 'Backup </title><script>'
    await post(cron('badged'), { status: 'ok', monitor_config: config })
    await server.services.monitorClock.check()
    server.services.store.connection
      .prepare('UPDATE monitors SET name = ? WHERE slug = ?')
      .run(name, 'badged')
    const { badge_secret: secret } = await server.services.store.db
      .selectFrom('monitors')
      .select('badge_secret')
      .where('slug', '=', 'badged')
      .executeTakeFirstOrThrow()
    const ok = await badgeOf(String(id), `${secret}.svg`)
    expect([ok.status, ok.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    const picture = await ok.text()
    expect(picture).toContain('<title>Backup &lt;/title&gt;&lt;script&gt;: ok</title>')
    expect(picture).not.toContain('<script')
    await post(cron('badged'), { status: 'error' })
    await server.services.monitorClock.check()
    expect(await (await badgeOf(String(id), `${secret}.svg`)).text()).toContain('failing')
    expect((await badgeOf(String(id + 1), `${secret}.svg`)).status).toBe(404)
  })

  it.each([
    ['42', ''],
    ['42', '%'],
    ['x', '0'.repeat(32)],
    ['42', '0'.repeat(32)],
  ])('is 404 for /badge/%s/%s', async (projectId, secret) => {
    expect((await badgeOf(projectId, secret)).status).toBe(404)
  })
})

describe('check-ins of SDKs', () => {
  it('are those of withMonitor', async () => {
    const client = Sentry.init({ dsn: await server.dsn(id), defaultIntegrations: false, release: 'job@1.0' })
    const monitor = { schedule: { type: 'interval', value: 5, unit: 'minute' }, maxRuntime: 10 } as const
    Sentry.withMonitor('sdk-job', () => 'done', monitor)
    const failing = Sentry.withMonitor('sdk-job', () => Promise.reject(new Error('broken')), monitor)
    await expect(failing).rejects.toThrow('broken')
    await client?.flush(5_000)
    await client?.close()
    expect((await readCheckIns('sdk-job')).map(({ status }) => status).toSorted()).toEqual(['error', 'ok'])
    const issues = await server.services.store.db
      .selectFrom('issues')
      .select(['title', 'type', 'status', 'first_release'])
      .where('title', 'like', '%sdk-job%')
      .execute()
    expect(issues).toMatchObject([
      { title: 'Failed check-in: sdk-job', type: 'monitor', first_release: 'job@1.0' },
    ])
  })

  it('are those of sentry-cli monitors run', async () => {
    const variables = { ...process.env, SENTRY_DSN: await server.dsn(id), SENTRY_NO_PROGRESS_BAR: '1' }
    const cli = createRequire(import.meta.url).resolve('@sentry/cli/bin/sentry-cli')
    const run = (...command: string[]) =>
      promisify(execFile)(
        process.execPath,
        [
          cli,
          'monitors',
          'run',
          'cli-job',
          '-s',
          '0 4 * * *',
          '--timezone',
          'Europe/Berlin',
          '--',
          ...command,
        ],
        { env: variables },
      )
    await run('true')
    await expect(run('false')).rejects.toThrow('Command failed')
    expect((await readCheckIns('cli-job')).map(({ status }) => status)).toEqual(['ok', 'error'])
  })

  it('in a loop create no more monitors than a project may have', async () => {
    for (let from = 0; from < 1_100; from += 100)
      await postEnvelope(server.origin, `{}\n${loopItems(from).join('')}`)
    const outcomes = await readOutcomes()
    const { count } = await server.services.store.db
      .selectFrom('monitors')
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1_000)
    expect(outcomes['monitor_limit']).toBeGreaterThan(100)
  })
})
