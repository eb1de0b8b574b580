import { readFile } from 'node:fs/promises'
import { makeNodeTransport, NodeClient, defaultStackParser } from '@sentry/node'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { parseKeySettings } from '#server/store/projects/settings.ts'
import { takeAll } from '#test/fake-upstream.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { startTestConsole, type TestPerson } from '#test/test-console.ts'
import { answerPages, glitchtipPages, sentryPages, startTracker, trackerToken } from '#test/trackers.ts'

const tracker = await startTracker({})
const server = await startTestConsole({
  CULVERT_ALLOW_PRIVATE_DESTINATIONS: tracker.address,
  CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1',
})
afterAll(async () => {
  await server.stop()
  await tracker.close()
})
beforeEach(() => submit('admin', 'discard'))

const path = '/settings/import'
const backup = new URL('../fixtures/imports/sentry-backup.json', import.meta.url)

const submit = (person: TestPerson, action: string, fields: Record<string, string> = {}) =>
  server.postTo(person, path, { action, ...fields })

const fromTracker = (fields: Record<string, string> = {}) =>
  submit('admin', 'read', {
    tracker: 'sentry',
    url: `http://${tracker.address}`,
    token: trackerToken,
    organization: '',
    eventCount: '',
    ...fields,
  })

const page = async (person: TestPerson = 'admin') => (await server.open(person, path)).text()
const titleOf = async () => /id="job[^>]*>[^]*?<h2[^>]*>(?:<a[^>]*>)?([^<]+)</.exec(await page())?.[1]
const projects = () => server.read('SELECT id, slug FROM projects ORDER BY id')

/** The states of the five steps, and their texts. */
async function cutOver(): Promise<{ states: string; text: string }> {
  const [, steps = ''] = /<ol class="cut-over">([^]*?)<\/ol>/.exec(await page()) ?? []
  const states = [...steps.matchAll(/data-state="(\w+)"/g)].map(([, state]) => state).join(' ')
  return { states, text: steps.replaceAll(/<!-- -->|<[^>]+>/g, '') }
}

/** Sends a message with an SDK. */
async function sendBy(dsn: string, message: string): Promise<void> {
  const client = new NodeClient({
    dsn,
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
    integrations: [],
  })
  client.captureMessage(message)
  expect(await client.flush(5_000)).toBe(true)
  await client.close()
}

/** A file that a browser uploads. Returns the notice. */
async function upload(content: string, person: TestPerson = 'admin'): Promise<string> {
  const form = new FormData()
  form.set('file', new File([content], 'backup.json', { type: 'application/json' }))
  form.set('organization', '')
  const answer = await server.postTo(person, `${path}/upload`, form)
  return decodeURIComponent(answer.headers.get('set-cookie') ?? '')
}

/** When imported keys were imported and first used; 0: not yet. */
const keyTimes = () =>
  server.read(`SELECT settings FROM project_keys WHERE settings LIKE '%importedAt%'`).map((text) => {
    const { importedAt = 0, firstUsedAt = 0 } = parseKeySettings(text)
    return { importedAt, firstUsedAt }
  })

/** Reads GlitchTip, which accepts everything that is sent to it, and imports it. */
async function importAll(): Promise<void> {
  tracker.behave((response, request) =>
    request.method === 'POST' ? takeAll(response, request) : answerPages(glitchtipPages)(response, request),
  )
  await fromTracker({ tracker: 'glitchtip' })
  await expect.poll(titleOf).toBe('Ready: nothing is changed yet')
  await submit('admin', 'apply')
  await expect.poll(titleOf).toBe('Done')
}

describe('the cut-over', () => {
  it('is a checklist of completed steps, and names the next one', async () => {
    expect((await cutOver()).states).toBe('next later later later later')

    await importAll()
    expect((await cutOver()).states).toBe('done next later later later')
    expect((await cutOver()).text).toContain('Nothing received with an imported key yet.')

    const oldDsn = `http://2222c3d4e5f60718293a4b5c6d7e8f90@${tracker.address}/1`
    const added = await server.postTo('admin', '/projects/web/upstreams', {
      action: 'add',
      dsn: oldDsn,
      organization: '',
      region: '',
      kinds: 'all',
    })
    expect(added.status).toBe(303)
    expect((await cutOver()).states).toBe('done done next later later')

    const dsn = `http://2222c3d4e5f60718293a4b5c6d7e8f90@${new URL(server.origin).host}/1`
    await sendBy(dsn, 'after the cut-over')
    const moved = await cutOver()
    expect(moved.states).toBe('done done done next later')
    expect(moved.text).toMatch(
      /1 project with 1 issue.*Received with an imported key: 1 of 1 project.*before all projects had moved/,
    )
    const [first] = keyTimes()
    expect(first?.firstUsedAt).toBeGreaterThanOrEqual(first?.importedAt ?? Infinity)
    await sendBy(dsn, 'another one')
    expect(keyTimes()).toEqual([first])

    await submit('admin', 'discard')
    await importAll()
    const compared = await cutOver()
    expect(compared.states).toBe('done done done done ready')
    expect(compared.text).toContain('sentry-cli in CI')
    expect(keyTimes()).toEqual([first])

    const [upstream = ''] = server.read(`SELECT id FROM upstreams`)
    await server.postTo('admin', '/projects/web/upstreams', { action: 'remove', upstream })
    const stopped = await cutOver()
    expect(stopped.states).toBe('done off done done done')
    expect(stopped.text).toContain('you can stop the old tracker')
    expect(stopped.text).not.toMatch(/undefined|NaN/)
  })

  it('watches the keys that 0.2.0 imported once they are imported again', async () => {
    server.services.store.connection.exec(
      `UPDATE project_keys SET settings = '{}' WHERE settings LIKE '%importedAt%'`,
    )
    await server.services.projectKeys.refresh()
    expect((await cutOver()).states).toBe('done next later later later')
    expect(await page()).toContain('import again to track its keys')
    await importAll()
    expect(keyTimes()).toMatchObject([{ firstUsedAt: 0 }])
  })

  it('is shown to admins and owners only', async () => {
    expect(await page('member')).not.toContain('class="cut-over"')
  })
})

describe('an import from a tracker in the console', () => {
  it('reports first, imports then, and shows results and compared counts; DSNs keep working', async () => {
    tracker.behave(answerPages(sentryPages))
    const before = projects()
    expect((await fromTracker()).status).toBe(303)
    await expect.poll(titleOf).toBe('Ready: nothing is changed yet')
    expect(projects()).toEqual(before)
    const report = await page()
    expect(report).toContain('1111c3d4e5f60718293a4b5c6d7e8f90')
    expect(report).not.toContain(trackerToken)
    expect(server.read('SELECT document FROM import_jobs')[0]).not.toContain(trackerToken)

    expect((await submit('admin', 'apply')).status).toBe(303)
    await expect.poll(titleOf).toBe('Done')
    expect(projects()).toContain('4711 shop')
    const done = await page()
    expect(done).toMatch(/shop: 2 issues with/)
    expect(done).toContain('Compared counts')
    expect(findBrokenInvariants(server.services.store)).toEqual([])

    const dsn = `http://1111c3d4e5f60718293a4b5c6d7e8f90@${new URL(server.origin).host}/4711`
    await sendBy(dsn, 'after the move')
    expect(
      server.read(`SELECT count(*) FROM issues WHERE project_id = 4711 AND title = 'after the move'`),
    ).toEqual(['1'])
  })

  it('explains why a tracker cannot be read, and continues when it can', async () => {
    tracker.behave(answerPages(sentryPages))
    await fromTracker({ token: 'wrong' })
    await expect.poll(titleOf).toBe('Failed')
    expect(await page()).toContain('rejects the token (401)')
    await submit('admin', 'discard')
    await fromTracker({ url: 'http://127.0.0.1:9' })
    await expect.poll(titleOf).toBe('Failed')
    expect(await page()).toContain('its address is on this machine or a private network')
    await submit('admin', 'discard')

    let isBroken = true
    tracker.behave(
      answerPages(sentryPages, (response) => {
        if (isBroken) response.writeHead(404).end()
        return isBroken
      }),
    )
    await fromTracker()
    await expect.poll(titleOf).toBe('Failed')
    isBroken = false
    await submit('admin', 'apply')
    await expect.poll(titleOf).toBe('Ready: nothing is changed yet')
  })

  it.each([
    [{ url: 'no address' }, 'Enter a URL that begins with https://'],
    [{ url: 'ftp://sentry.example' }, 'Enter a URL that begins with https://'],
    [{ url: 'https://ada:secret@sentry.example' }, 'Enter a URL that begins with https://'],
    [{ token: '' }, 'Enter a token of the tracker'],
    [{ organization: '../x?' }, 'Enter the slug of the organization'],
    [{ eventCount: '101' }, 'Enter a number from 1 to 100'],
  ])('rejects %j with the reason at the field', async (fields, expected) => {
    const answer = await fromTracker(fields)
    expect([answer.status >= 400, (await answer.text()).includes(expected)]).toEqual([true, true])
    expect(server.read('SELECT id FROM import_jobs')).toEqual([])
  })
})

describe('an import from a backup in the console', () => {
  it('imports projects with their ids and keys; an admin adds no owner', async () => {
    expect(await upload(await readFile(backup, 'utf8'))).toContain('Reading the backup')
    await expect.poll(titleOf).toBe('Ready: nothing is changed yet')
    const before = projects().length
    await submit('admin', 'apply')
    await expect.poll(titleOf).toBe('Done')
    expect(projects().length).toBeGreaterThan(before)
    expect(server.read(`SELECT role FROM memberships WHERE organization_id = 1 AND role = 'owner'`)).toEqual(
      [],
    )
    expect(await page()).toContain('with keys, settings and members')
  })

  it.each([
    ['a half-written file', '[{"model": "sentry.project", "pk": 1, "fiel', 'is damaged or incomplete'],
    ['another file', '{"hello": 1}', 'is not a backup of Sentry'],
    ['a list of anything', '[1, 2]', 'is not a backup of Sentry'],
    ['an empty file', '', 'Choose the JSON file of a backup'],
  ])('rejects %s with a message, and imports nothing', async (_name, content, expected) => {
    const before = projects()
    expect(await upload(content)).toContain(expected)
    expect([projects(), server.read('SELECT id FROM import_jobs')]).toEqual([before, []])
  })
})

describe('the page of imports', () => {
  it('is for admins and owners of the first organization', async () => {
    for (const person of ['viewer', 'member', 'outsider'] as const) {
      expect(await page(person)).toContain('Only admins and owners can import.')
      expect((await submit(person, 'read', { tracker: 'sentry' })).status).toBe(403)
      expect(await upload('[]', person)).toContain('only admins and owners can import')
    }
    expect(server.read('SELECT id FROM import_jobs')).toEqual([])
  })
})
