import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { updateProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { textLike } from '#test/matchers.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'

const { id } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

async function setLimits(rateLimits: Partial<ProjectSettings['rateLimits']>): Promise<void> {
  const { store, projectKeys } = server.services
  await updateProjectSettings(store, id, (settings) => ({
    rateLimits: { ...settings.rateLimits, ...rateLimits },
  }))
  await projectKeys.refresh()
}

function send(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return postEnvelope(server.origin, body, { headers })
}

const sendFrom = (address: string) => send(errorEnvelope(), { 'x-forwarded-for': address })

/** The outcomes, including the counts of rejected requests that the server writes once a second. */
async function counted(): Promise<Record<string, number>> {
  await server.services.rejectedCounts.flush()
  return countedOutcomes(server.services.store, id)
}

const sessions = (count: number) =>
  envelopeOf({}, ...Array.from({ length: count }, () => ['session', {}] as [string, unknown]))

describe('a request over the limit', () => {
  it('is answered 429 with the limit, readable for pages of other origins, and counted', async () => {
    await setLimits({ key: { error: { quantity: 2, windowSeconds: 3_000 } } })
    const ids = [randomEventId(), randomEventId(), randomEventId()]
    const answers = []
    for (const eventId of ids) answers.push(await send(errorEnvelope({ eventId })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    const { headers } = answers[2] ?? new Response()
    expect(headers.get('x-sentry-rate-limits')).toBe('300:error:key:key_limit')
    expect(headers.get('retry-after')).toBe('300')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toMatch(/x-sentry-rate-limits, retry-after/)
    expect(await answers[2]?.json()).toEqual({ detail: textLike(/rate limit/) })
    expect(await storedEventIds(server.services.store, id)).toEqual(ids.slice(0, 2).toSorted())
    expect(await counted()).toEqual({ 'error accepted': 2, 'error rate_limited key_limit': 1 })
  })

  it('is repeated in the answers to accepted requests', async () => {
    await setLimits({ project: { session: { quantity: 2, windowSeconds: 60 } } })
    expect((await send(sessions(2))).headers.get('x-sentry-rate-limits')).toBeNull()
    expect((await send(sessions(1))).status).toBe(429)
    const answer = await send(errorEnvelope())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sentry-rate-limits')).toMatch(/^[0-9]{2}:session:project:project_limit$/)
    expect(answer.headers.get('retry-after')).toBeNull()
  })

  it('in part is answered 200, stored up to the limit, and counted for the rest', async () => {
    await setLimits({ key: { session: { quantity: 0, windowSeconds: 60 } } })
    const answer = await send(
      envelopeOf(
        { event_id: randomEventId() },
        ['event', { message: 'a' }],
        ['session', {}],
        ['session', {}],
      ),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sentry-rate-limits')).toBe('60:session:key:key_limit')
    expect(await counted()).toEqual({ 'error accepted': 1, 'session rate_limited key_limit': 2 })
  })

  it('is not read while all categories of its key are limited, and accepted afterwards', async () => {
    // Long enough for three requests on a busy machine.
    await setLimits({ key: { all: { quantity: 1, windowSeconds: 3 } } })
    expect((await send(errorEnvelope())).status).toBe(200)
    expect((await send(errorEnvelope())).status).toBe(429)
    // Not an envelope: if it were read, the answer would be 400.
    const unread = await send('{')
    expect(unread.status).toBe(429)
    expect(unread.headers.get('x-sentry-rate-limits')).toMatch(/^[1-3]::key:key_limit$/)
    expect(await counted()).toEqual({
      'error accepted': 1,
      'error rate_limited key_limit': 1,
      'unknown rate_limited key_limit': 1,
    })
    await expect.poll(async () => (await send(errorEnvelope())).status).toBe(200)
  })

  it('is accepted as soon as the limit is raised', async () => {
    await setLimits({ project: { all: { quantity: 0, windowSeconds: 60 } } })
    expect((await send(errorEnvelope())).status).toBe(429)
    await setLimits({ project: {} })
    const answer = await send(errorEnvelope())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-sentry-rate-limits')).toBeNull()
  })

  it('does not count filtered events', async () => {
    await setLimits({ key: { error: { quantity: 1, windowSeconds: 3_600 } } })
    for (let sent = 0; sent < 5; sent += 1) {
      const noise = await send(errorEnvelope({ type: 'Error', value: 'Script error.' }))
      expect(noise.status).toBe(200)
    }
    expect((await send(errorEnvelope())).status).toBe(200)
    expect((await send(errorEnvelope())).status).toBe(429)
  })

  it('does not count the bytes of their attachments', async () => {
    await setLimits({ key: { attachment: { quantity: 1_000, windowSeconds: 3_600 } } })
    const file = `{"type":"attachment","length":900}\n${'x'.repeat(900)}`
    for (let sent = 0; sent < 3; sent += 1)
      await send(`${errorEnvelope({ type: 'Error', value: 'Script error.' })}\n${file}`)
    await send(`${errorEnvelope()}\n${file}`)
    expect(await counted()).toMatchObject({
      'attachment filtered ignored-error': 3,
      'attachment accepted': 1,
    })
  })
})

describe('one flooding client', () => {
  it('is limited by address, without an effect on other addresses', async () => {
    await setLimits({ address: { all: { quantity: 20, windowSeconds: 3_600 } } })
    const flood = Array.from({ length: 200 }, () => sendFrom('203.0.113.7'))
    const others = Array.from({ length: 20 }, (_, at) => sendFrom(`2001:db8:0:${at}::1`))
    const second = Array.from({ length: 20 }, () => sendFrom('203.0.113.8'))
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(180)
    for (const answer of await Promise.all([...others, ...second])) expect(answer.status).toBe(200)
    expect(await storedEventIds(server.services.store, id)).toHaveLength(60)
    const outcomes = await counted()
    expect(outcomes['error accepted']).toBe(60)
    const limited =
      (outcomes['error rate_limited address_limit'] ?? 0) +
      (outcomes['unknown rate_limited address_limit'] ?? 0)
    expect(limited).toBe(180)
  })
})

describe('one error in a loop', () => {
  it('is counted to the last event, stored in part, without an effect on other errors', async () => {
    const { store, projectKeys } = server.services
    await updateProjectSettings(store, id, ({ spikeProtection }) => ({
      spikeProtection: { ...spikeProtection, fullEvents: 20, sampleEvery: 10 },
    }))
    await projectKeys.refresh()
    const loop = Array.from({ length: 120 }, () => send(errorEnvelope({ type: 'LoopError' })))
    const others = Array.from({ length: 15 }, () => send(errorEnvelope({ type: 'RareError' })))
    for (const answer of await Promise.all([...loop, ...others])) expect(answer.status).toBe(200)
    // Under load the rows of issues wait for a fold.
    await server.services.housekeeping.settle()
    const issues = await store.db
      .selectFrom('issues as i')
      .innerJoin('events as e', (join) =>
        join.onRef('e.project_id', '=', 'i.project_id').onRef('e.issue_id', '=', 'i.id'),
      )
      .select(['i.title', 'i.event_count'])
      .select((of) => of.fn.countAll<number>().as('kept_count'))
      .groupBy(['i.title', 'i.event_count'])
      .orderBy('i.title')
      .execute()
    expect(issues).toEqual([
      { title: 'LoopError', event_count: 120, kept_count: 30 },
      { title: 'RareError', event_count: 15, kept_count: 15 },
    ])
    expect(await counted()).toEqual({ 'error accepted': 45, 'error accepted spike_protection': 90 })
  })
})
