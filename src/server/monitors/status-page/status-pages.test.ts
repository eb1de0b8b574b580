import { expect, it } from 'vitest'
import { defaultMonitorSettings } from '#monitors/schedule.ts'
import type { StoredSettings, UptimeSettings } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import { recordCheckResults } from '#server/store/monitors/apply.ts'
import { recordMonitorChange, recordNewMonitor } from '#server/store/monitors/changes.ts'
import { readStatusPage, recordStatusPage } from '#server/store/monitors/status-page.ts'
import { noFailures } from '#server/store/project-failures.ts'
import { openTestStore } from '#test/test-store.ts'
import { dayMs, minuteMs } from '#time/time-steps.ts'
import { createStatusPages } from './status-pages.ts'

const start = Date.UTC(2026, 4, 1, 10)

const uptime: UptimeSettings = {
  kind: 'uptime',
  target: { kind: 'tcp', host: 'secret-host.internal', port: 4242 },
  environment: 'secret-environment',
  intervalSeconds: 60,
  timeoutSeconds: 10,
  failureThreshold: 1,
  recoveryThreshold: 1,
}

/** A store with an organization, its status page, and three monitors in two projects. */
async function setUp() {
  let now = start
  const store = await openTestStore({ clock: () => now })
  const add = (projectId: number, slug: string, settings: StoredSettings = uptime) =>
    recordNewMonitor(store, { projectId, slug, name: `Private ${slug}`, settings }, now)
  await add(1, 'shop')
  await add(1, 'hidden')
  const cron = {
    ...defaultMonitorSettings,
    schedule: { kind: 'interval', value: 1, unit: 'day' },
  } satisfies StoredSettings
  await add(2, 'job', cron)
  const publish = async (names: Record<string, string>, isPublished = true) => {
    const { choices } = await readStatusPage(store.db, 1)
    for (const choice of choices) choice.publicName = names[choice.name]
    await recordStatusPage(store, 1, { isPublished, choices })
  }
  /** The end of the check of `shop` that is due now. */
  const check = async (status: 'ok' | 'error' | 'unknown') => {
    const [row] = store.connection.prepare(`SELECT id FROM monitors WHERE slug = 'shop'`).all()
    const monitorId = String(row?.['id'])
    const [due] = store.connection
      .prepare(`SELECT check_at FROM monitor_environments WHERE monitor_id = '${monitorId}'`)
      .all()
    const slotAt = Number(due?.['check_at'])
    now = Math.max(now, slotAt)
    const ends = { startedAt: now, finishedAt: now, durationMs: 12, seen: { detail: 'secret detail' } }
    const result = { projectId: 1, monitorId, slotAt, status, ...ends }
    await recordCheckResults(store, [result], { now, gaps: [], failures: noFailures })
    return { projectId: 1, monitorId }
  }
  const read = async (slug = 'default', headers: Record<string, string> = {}) => {
    // New pages, without the cache.
    const pages = createStatusPages({ store })
    const answer = await pages.answer(new Request('http://localhost/', { headers }), slug)
    return { answer, body: await answer.text() }
  }
  return { store, publish, check, read, pass: (ms: number) => void (now += ms) }
}

it('is 404 until it is published, and again afterwards', async () => {
  const { publish, read } = await setUp()
  expect((await read()).answer.status).toBe(404)
  await publish({ 'Private shop': 'Shop' }, false)
  expect((await read()).answer.status).toBe(404)
  await publish({ 'Private shop': 'Shop' })
  expect((await read()).answer.status).toBe(200)
  for (const slug of ['', 'other', '%', "' OR 1=1 --", 'default\0'.slice(0, 7).repeat(50)])
    expect(await read(slug)).toMatchObject({
      answer: { status: 404 },
      body: expect.stringContaining('<h1>Status page not found</h1>') as string,
    })
  await publish({ 'Private shop': 'Shop' }, false)
  expect((await read()).answer.status).toBe(404)
})

it('shows chosen monitors by their public names, and nothing else of them', async () => {
  const { publish, check, read } = await setUp()
  await publish({ 'Private shop': 'Shop <script>alert(1)</script>', 'Private job': 'Billing' })
  await check('ok')
  const { body, answer } = await read()
  expect(body).toContain('Shop &lt;script&gt;')
  expect(body).toContain('Billing')
  expect(body).not.toMatch(/<script|Private|secret|hidden|4242|"job"/)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
})

it('has no lists without monitors', async () => {
  const { publish, read } = await setUp()
  await publish({})
  const { body } = await read()
  expect(body).toContain('No services yet')
  expect(body).not.toContain('<h2')
})

it('shows whether monitors are up now, their days and their incidents', async () => {
  const { store, publish, check, read, pass } = await setUp()
  await publish({ 'Private shop': 'Shop', 'Private job': 'Billing' })
  expect((await read()).body).toContain('The state of some services is unknown')
  await publish({ 'Private shop': 'Shop' })
  const monitor = await check('ok')
  expect((await read()).body).toContain('All services are up')
  await check('error')
  await check('error')
  const down = (await read()).body
  expect(down).toContain('1 of 1 services down')
  expect(down).toContain('33.3% up')
  expect(down).toMatch(/has been down for a minute<br>\n.*since .*2026-05-01 10:01 UTC/)
  await check('unknown')
  expect((await read()).body).toContain('33.3% up')
  await check('ok')
  const up = (await read()).body
  expect(up).toContain('All services are up')
  expect(up).toMatch(/was down for 3 minutes<br>\n.*2026-05-01 10:01 UTC.*until.*2026-05-01 10:04 UTC/)
  expect(up.match(/data-day="none"/g)).toHaveLength(89)
  expect(up).toContain('title="2026-05-01: 50.0%"')
  // No process checks it any more.
  pass(10 * minuteMs)
  expect((await read()).body).toContain('The state of some services is unknown')
  const change = { change: { isPaused: true }, now: store.clock() }
  await recordMonitorChange(store, monitor, change)
  expect((await read()).body).toContain('data-state="paused">Paused')
  pass(15 * dayMs)
  expect((await read()).body).toContain('None.')
})

it('is cacheable, and cached in memory for a while', async () => {
  const { store, publish, check, read } = await setUp()
  await publish({ 'Private shop': 'Shop' })
  await check('ok')
  const { answer } = await read()
  const etag = answer.headers.get('etag') ?? ''
  expect(answer.headers.get('cache-control')).toBe(`public, max-age=${limits.statusPageCachedMs / 1_000}`)
  const again = await read('default', { 'if-none-match': etag })
  expect([again.answer.status, again.body, again.answer.headers.get('etag')]).toEqual([304, '', etag])
  const pages = createStatusPages({ store })
  const ask = async () => (await pages.answer(new Request('http://localhost/'), 'default')).text()
  const before = await ask()
  await check('error')
  expect(await Promise.all([ask(), ask()])).toEqual([before, before])
})
