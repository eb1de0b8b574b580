import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { startServerProcess } from '#test/server-process.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { countedOutcomes } from '#test/stored-events.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'

const { id } = fixtureProject

function send(origin: string, body: string): Promise<Response> {
  return postEnvelope(origin, body)
}

/** The counters of each release: all sessions, those that were not healthy, users. */
function readSeries({ connection }: Store): Record<string, Record<string, unknown>> {
  const rows = connection
    .prepare(
      `SELECT version, session_count AS sessions, errored_count AS errored, unhandled_count AS unhandled,
         crashed_count AS crashed, user_count AS users FROM session_series WHERE project_id = ? ORDER BY version`,
    )
    .all(id)
  return Object.fromEntries(rows.map(({ version, ...counts }) => [String(version), counts]))
}

const none = { errored: 0, unhandled: 0, crashed: 0, users: 0 }

/** A captured envelope, with its times and its clock moved to now. */
function readCaptured(name: string): string {
  const text = readFileSync(new URL(`../fixtures/envelopes/${name}`, import.meta.url), 'utf8')
  const sentAt = Date.parse(/"sent_at":"([^"]+)"/.exec(text)?.[1] ?? '')
  const shiftMs = Date.now() - sentAt
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
    new Date(Date.parse(at) + shiftMs).toISOString(),
  )
}

describe('sessions of real SDKs', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startServer()
  })
  afterEach(() => server.stop())

  it('are counted by release: browser and Node, one by one and aggregated', async () => {
    const files = [
      'browser-10.75.2.error.01.session.body',
      'browser-11.12.0.unhandled.03.session.body',
      'node-10.75.2.session.02.session.body',
      'node-10.75.2.session.03.session.body',
      'node-10.75.2.uncaught.01.session.body',
      'node-10.75.2.sessionsAgg.02.sessions.body',
    ]
    for (const file of files) expect((await send(server.origin, readCaptured(file))).status).toBe(200)
    const { store } = server.services
    expect(readSeries(store)).toEqual({
      'web@2.0.0': { ...none, sessions: 2, unhandled: 1, users: 1 },
      'my-app@1.2.3': { ...none, sessions: 5, errored: 1, crashed: 1, users: 1 },
    })
    expect(await countedOutcomes(store, id)).toEqual({ 'session accepted': 6 })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('are counted if the clock is a month behind', async () => {
    const captured = readFileSync(
      new URL('../fixtures/envelopes/node-10.75.2.uncaught.01.session.body', import.meta.url),
      'utf8',
    )
    const behind = captured.replaceAll('2026-11-21', '2026-10-01')
    await send(server.origin, behind)
    expect(readSeries(server.services.store)).toEqual({
      'my-app@1.2.3': { ...none, sessions: 1, crashed: 1 },
    })
  })

  it('are accepted up to a hundred per envelope', async () => {
    const body = envelopeOf(
      {},
      ...Array.from({ length: 103 }, () => ['session', sessionOf()] as [string, unknown]),
    )
    expect((await send(server.origin, body)).status).toBe(200)
    expect(await countedOutcomes(server.services.store, id)).toEqual({
      'session accepted': 100,
      'session invalid too_large': 3,
    })
  })
})

function sessionOf(fields: object = {}) {
  const now = new Date().toISOString()
  const attrs = { release: 'shop@1.0.0' }
  return {
    sid: randomEventId(),
    init: true,
    status: 'ok',
    started: now,
    timestamp: now,
    did: 'ada',
    attrs,
    ...fields,
  }
}

/** Sends updates sixteen at a time until all are sent or the server is down; returns acknowledged ones. */
async function sendUpdates(
  origin: string,
  updates: object[],
  onAnswer: (count: number) => void = () => undefined,
) {
  const waiting = updates.map((update, index) => ({ update, index }))
  const acked = new Set<number>()
  async function sendNext(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const answer = await send(origin, envelopeOf({}, ['session', next.update])).catch(() => undefined)
      if (answer?.status === 429) {
        // A server on a busy machine accepts less: it is sent again.
        waiting.push(next)
        await pause(100)
        continue
      }
      if (answer?.status !== 200) return
      acked.add(next.index)
      onAnswer(acked.size)
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendNext))
  return acked.size
}

describe('kill -9 while sessions are ingested', { timeout: 120_000 }, () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await makeTestFolder()
  })

  const open = () => openStore({ path: join(dataDir, 'culvert.db'), clock: Date.now })

  async function readCounts() {
    const store = await open()
    expect(findBrokenInvariants(store)).toEqual([])
    const counts = readSeries(store)['shop@1.0.0']
    await store.close()
    return { sessions: Number(counts?.['sessions'] ?? 0), crashed: Number(counts?.['crashed'] ?? 0) }
  }

  it('keeps acknowledged sessions, and counts repeated ones once', async () => {
    const prepared = await open()
    await createProject(prepared, fixtureProject)
    await prepared.close()
    const first = Array.from({ length: 120 }, () => sessionOf())
    const crashes = first
      .filter((_, index) => index % 3 === 0)
      .map(({ sid }) => sessionOf({ sid, init: false, status: 'crashed' }))

    const killed = await startServerProcess({ dataDir })
    let end: Promise<unknown> | undefined
    const firstCount = await sendUpdates(killed.origin, first)
    expect(firstCount).toBe(first.length)
    const crashCount = await sendUpdates(killed.origin, crashes, (count) => {
      if (count === crashes.length / 2) end = killed.end('SIGKILL')
    })
    await end
    const kept = await readCounts()
    expect(kept.sessions).toBe(first.length)
    expect(kept.crashed).toBeGreaterThanOrEqual(crashCount)

    const server = await startServerProcess({ dataDir })
    const everything = [...crashes, ...first, ...crashes]
    expect(await sendUpdates(server.origin, everything)).toBe(everything.length)
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await readCounts()).toEqual({ sessions: first.length, crashed: crashes.length })
  })
})
