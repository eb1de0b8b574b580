import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '#server/store/database.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { runCulvert, startServerProcess } from '../support/server-process.ts'
import { fixtureProject } from '../support/start-server.ts'
import { storedEventIds } from '../support/stored-events.ts'
import { createTempDir, type TempDir } from '../support/temp-dir.ts'

const { id, name, publicKey } = fixtureProject
const connections = 32
const exceptionTypes = ['TypeError', 'RangeError', 'SyntaxError', 'URIError', 'EvalError']

let dataDir: TempDir
beforeEach(async () => {
  dataDir = await createTempDir()
  const args = ['project', 'add', name, '--id', String(id), '--key', publicKey]
  await runCulvert(args, { CULVERT_DATA_DIR: dataDir.path })
})
afterEach(() => dataDir.remove())

/** Sends one event; the status, or undefined when the connection broke before the answer. */
function sendEvent(origin: string, eventId: string, agent: Agent): Promise<number | undefined> {
  const type = exceptionTypes[Number.parseInt(eventId.slice(0, 4), 16) % exceptionTypes.length] ?? 'Error'
  return new Promise((resolve) => {
    const url = `${origin}/api/${id}/envelope/?sentry_key=${publicKey}`
    request(url, { method: 'POST', agent }, (response) => {
      response
        .on('end', () => resolve(response.statusCode))
        .on('error', () => resolve(undefined))
        .resume()
    })
      .on('error', () => resolve(undefined))
      .end(errorEnvelope({ eventId, type }))
  })
}

interface Burst {
  sent: string[]
  acknowledged: string[]
}

/** Sends from many connections until the server is gone; `onAcknowledged` is told how many were acknowledged so far. */
async function burst(origin: string, onAcknowledged: (count: number) => void): Promise<Burst> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const sent: string[] = []
  const acknowledged: string[] = []
  async function sendUntilGone(): Promise<void> {
    for (;;) {
      const eventId = randomEventId()
      sent.push(eventId)
      const status = await sendEvent(origin, eventId, agent)
      if (status === undefined) return
      expect(status).toBe(200)
      acknowledged.push(eventId)
      onAcknowledged(acknowledged.length)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendUntilGone))
  agent.destroy()
  return { sent, acknowledged }
}

interface StoreTotals {
  ids: string[]
  /** Every counter that must equal the number of events. */
  counters: Record<string, number>
}

async function readTotals(): Promise<StoreTotals> {
  const store = await openStore({ path: join(dataDir.path, 'culvert.db'), clock: Date.now })
  const sum = (sql: string) => Number(store.sqlite.prepare(sql).get()?.['n'])
  const counters = {
    issues: sum('SELECT sum(event_count) AS n FROM issues'),
    hours: sum('SELECT sum(event_count) AS n FROM issue_hours'),
    environments: sum('SELECT sum(event_count) AS n FROM environments'),
    blocks: sum('SELECT sum(event_count) AS n FROM body_blocks'),
    accepted: sum("SELECT sum(quantity) AS n FROM outcome_hours WHERE outcome = 'accepted'"),
  }
  const integrity = store.sqlite.prepare('PRAGMA integrity_check').get()?.['integrity_check']
  expect(integrity).toBe('ok')
  const ids = await storedEventIds(store, id)
  await store.close()
  return { ids, counters }
}

function expectEachOnce({ ids, counters }: StoreTotals): void {
  expect(new Set(ids).size).toBe(ids.length)
  for (const [counter, count] of Object.entries(counters))
    expect([counter, count]).toEqual([counter, ids.length])
}

describe('kill -9 in the middle of a burst', () => {
  it('loses no acknowledged event, doubles none, and leaves every counter equal to its rows', async () => {
    const sent: string[] = []
    for (const killAfter of [50, 300, 800]) {
      const server = await startServerProcess({ dataDir: dataDir.path })
      const round = await burst(server.origin, (count) => {
        if (count === killAfter) server.child.kill('SIGKILL')
      })
      expect(await server.end('SIGKILL')).toBe('SIGKILL')
      expect(round.acknowledged.length).toBeGreaterThanOrEqual(killAfter)
      sent.push(...round.sent)

      const totals = await readTotals()
      expectEachOnce(totals)
      const stored = new Set(totals.ids)
      expect(round.acknowledged.filter((eventId) => !stored.has(eventId))).toEqual([])
    }

    // An SDK that got no answer sends again; so does one that did not read it.
    const server = await startServerProcess({ dataDir: dataDir.path })
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const statuses = await Promise.all(sent.map((eventId) => sendEvent(server.origin, eventId, agent)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    agent.destroy()
    expect(await server.end('SIGTERM')).toBe(0)
    const totals = await readTotals()
    expectEachOnce(totals)
    expect(totals.ids).toEqual(sent.toSorted())
  })
})

describe('SIGTERM in the middle of a burst', () => {
  it('answers what is in flight, stores what it answered, and ends with 0', async () => {
    const server = await startServerProcess({ dataDir: dataDir.path })
    let ended: Promise<number | NodeJS.Signals> | undefined
    const { acknowledged } = await burst(server.origin, (count) => {
      if (count === 300) ended = server.end('SIGTERM')
    })
    expect(await ended).toBe(0)
    const totals = await readTotals()
    expectEachOnce(totals)
    // Nothing was cut off between the commit and its answer.
    expect(totals.ids).toEqual(acknowledged.toSorted())
  })
})
