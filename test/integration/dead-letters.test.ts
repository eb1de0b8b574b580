import { afterAll, describe, expect, it } from 'vitest'
import type { DeadLetter } from '#server/store/ingest/records.ts'
import { listDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { runCulvert } from '#test/server-process.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject, variablesOf } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'
import { startConsole } from '#test/test-console.ts'

const projectId = fixtureProject.id

const get = (path: string) => fetch(`${server.origin}${path}`, { headers: { cookie } })
const server = await startConsole()
await addUser(server.services.store)
/** Of the owner. */
const cookie = await cookieOf(server.origin)
afterAll(() => server.stop())

/** An event that became a dead letter because of a bug in Culvert, and its outcome; the bug is fixed now. */
async function bury(fields: Partial<DeadLetter> = {}): Promise<{ eventId: string; letter: string }> {
  const eventId = randomEventId()
  const payload = Buffer.from(errorEnvelope({ eventId, value: 'password=hunter2' }).split('\n')[2] ?? '')
  const receivedAt = Date.now() - 60_000
  await server.services.committer.commit({
    events: [],
    outcomes: [
      { projectId, category: 'error', outcome: 'invalid', reason: 'internal', quantity: 1, at: receivedAt },
    ],
    deadLetters: [
      {
        projectId,
        itemType: 'event',
        category: 'error',
        reason: 'x is undefined',
        receivedAt,
        origin: { eventId },
        payload,
        ...fields,
      },
    ],
  })
  const known = new Set(seen)
  const letter = (await letters()).find((name) => !known.has(name)) ?? ''
  seen.push(letter)
  return { eventId, letter }
}
const seen: string[] = []

async function letters(): Promise<string[]> {
  const listed = await listDeadLetters(server.services.store.db, { limit: 1_000 })
  return listed.map(({ project, id }) => `${project.id}:${id}`)
}

const stored = () => storedEventIds(server.services.store, projectId)
const counted = () => countedOutcomes(server.services.store, projectId)

/** Posts the form of the page like a browser without JavaScript. */
async function postForm(change: string, as = cookie): Promise<Response> {
  const page = await (await get('/outcomes/dead-letters')).text()
  const action = /action="(\/actions\/[^"]+)"/.exec(page)?.[1] ?? ''
  return fetch(new URL(action, server.origin), {
    method: 'POST',
    body: new URLSearchParams({ change }),
    redirect: 'manual',
    headers: {
      cookie: as,
      origin: server.origin,
      referer: `${server.origin}/outcomes/dead-letters`,
      'sec-fetch-site': 'same-origin',
    },
  })
}

describe('a dead letter', () => {
  it('is listed, counted in the outcomes, and downloaded as bytes that no browser runs', async () => {
    const { letter } = await bury({ reason: '<script>alert(1)</script>' })
    expect(await (await get('/outcomes')).text()).toContain('/outcomes/dead-letters')
    const page = await (await get('/outcomes/dead-letters')).text()
    expect(page).toContain('unscrubbed')
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('hunter2')
    const saved = await get(`/outcomes/dead-letters/${letter.replace(':', '/')}`)
    expect(await saved.text()).toContain('hunter2')
    expect(Object.fromEntries(saved.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringContaining('attachment') as unknown,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox') as unknown,
    })
    const missing = await get(`/outcomes/dead-letters/${projectId}/nothing`)
    expect(missing.status).toBe(404)
  })

  it('retried by the form becomes its event, once, and is counted as accepted', async () => {
    const { eventId, letter } = await bury()
    const before = await counted()
    const answers = await Promise.all([postForm(`retry:${letter}`), postForm(`retry:${letter}`)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect((await stored()).filter((id) => id === eventId)).toHaveLength(1)
    expect(await letters()).not.toContain(letter)
    const after = await counted()
    expect(after['error accepted']).toBe((before['error accepted'] ?? 0) + 1)
    expect(after['error invalid internal'] ?? 0).toBe((before['error invalid internal'] ?? 0) - 1)
  })

  it('is written once if it is retried many times at once', async () => {
    const { eventId, letter } = await bury()
    const id = letter.split(':')[1] ?? ''
    const results = await Promise.all(
      Array.from({ length: 20 }, () => server.services.retryDeadLetter({ projectId, id })),
    )
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'gone')).toHaveLength(19)
    expect((await stored()).filter((each) => each === eventId)).toHaveLength(1)
  })

  it('with invalid content gets the outcome of any such item', async () => {
    const { letter } = await bury({ payload: Buffer.from('{broken') })
    const before = await counted()
    expect((await postForm(`retry:${letter}`)).status).toBe(303)
    expect(await letters()).not.toContain(letter)
    expect((await counted())['error invalid invalid_json']).toBe(
      (before['error invalid invalid_json'] ?? 0) + 1,
    )
  })
})

describe('dead letters', () => {
  it('are retried together by the form', async () => {
    const kept = await letters()
    const [first, second] = [await bury(), await bury()]
    await postForm(`retry:${first.letter} ${second.letter} ${projectId}:nothing`)
    expect(await stored()).toEqual(expect.arrayContaining([first.eventId, second.eventId]))
    expect(await letters()).toEqual(kept)
  })

  it('are deleted by the form only if it names them', async () => {
    const kept = await letters()
    const [first, second, other] = [await bury(), await bury(), await bury()]
    await postForm(`delete:${first.letter} ${second.letter}`)
    expect(await letters()).toEqual([other.letter, ...kept])
    const before = await counted()
    await postForm(`delete:${other.letter}`)
    expect(await letters()).toEqual(kept)
    expect(await stored()).not.toContain(other.eventId)
    expect(await counted()).toEqual(before)
  })

  it('are neither retried nor deleted by users who may not configure the project', async () => {
    const { letter } = await bury()
    const user = { name: 'Meg', email: 'meg@example.com', password: 'stapler battery horse' }
    await addUser(server.services.store, user, 'member')
    const member = await cookieOf(server.origin, user)
    for (const verb of ['retry', 'delete']) await postForm(`${verb}:${letter}`, member)
    expect(await letters()).toContain(letter)
    await postForm(`delete:${letter}`)
  })
})

const run = (...args: string[]) => runCulvert(['dead-letters', ...args], variablesOf(server))

describe('culvert dead-letters', () => {
  it('lists, retries and deletes while a server runs', async () => {
    const { eventId, letter } = await bury()
    const other = await bury()
    expect((await run('list')).stdout).toContain(letter)
    expect(await run('retry', letter)).toMatchObject({
      code: 0,
      stdout: '1 processed, 0 failed again, 0 not found\n',
    })
    expect(await stored()).toContain(eventId)
    expect(await run('delete', other.letter, letter)).toMatchObject({
      code: 1,
      stdout: '1 deleted, 1 not found\n',
    })
    expect(await stored()).not.toContain(other.eventId)
    expect((await run('retry', '--all')).code).toBe(0)
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual([])
    expect((await run('retry')).code).toBe(2)
    expect((await run('delete', 'nonsense')).code).toBe(2)
  })
})
