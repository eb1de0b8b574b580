import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { buildConsole } from '#test/built-console.ts'
import { randomEventId } from '#test/envelopes.ts'
import { startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { boundMemory, findSmallMemoryHindrance, skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { readStoreTotals } from './support/store-totals.ts'

const hindrance = findSmallMemoryHindrance()
const megabyte = 1_000_000
// With the console, which needs memory, too.
beforeAll(async () => {
  await buildConsole()
}, 120_000)

interface Hostile {
  /** The id of its event; absent if the test does not check the event. */
  eventId?: string
  body: Uint8Array
  encoding?: string
}

/** An envelope with an event and files. */
function withFiles(...files: Uint8Array[]): Hostile & { eventId: string } {
  const eventId = randomEventId()
  const event = `{"event_id":"${eventId}"}\n{"type":"event"}\n{"message":"with files"}`
  const items = files.flatMap((file, index) => [
    Buffer.from(`\n{"type":"attachment","length":${file.byteLength},"filename":"core ${index}"}\n`),
    file,
  ])
  return { eventId, body: Buffer.concat([Buffer.from(event), ...items]) }
}

/** 40 bombs, 20 bodies that just fit once they are inflated, and 40 of 5 to 9 MB. */
function listHostile(): Hostile[] {
  const bomb = { body: gzipSync(Buffer.alloc(200 * megabyte)), encoding: 'gzip' }
  const full = withFiles(Buffer.alloc(38 * megabyte))
  const fullSent = { eventId: full.eventId, body: gzipSync(full.body), encoding: 'gzip' }
  const text = randomBytes(5 * megabyte).toString('base64')
  const large = { body: Buffer.from(`{}\n{"type":"event"}\n${JSON.stringify({ extra: { text } })}`) }
  return Array.from({ length: 20 }, (): Hostile[] => [
    bomb,
    bomb,
    fullSent,
    large,
    withFiles(randomBytes(4.5 * megabyte), randomBytes(4.5 * megabyte)),
  ]).flat()
}

function post(origin: string, agent: Agent, { body, encoding }: Hostile): Promise<number> {
  const url = `${origin}/api/${fixtureProject.id}/envelope/?sentry_key=${fixtureProject.publicKey}`
  const headers = {
    'content-length': body.byteLength,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end(body)
  })
}

it.skipIf(hindrance !== undefined)(
  `100 hostile requests at once are survived in 512 MB${skipNote(hindrance)}`,
  async () => {
    const dataDir = await createTempDir()
    const memory = boundMemory(512)
    onTestFinished(async () => {
      memory.remove()
      await dataDir.remove()
    })
    await addFixtureProject(dataDir.path)
    const server = await startServerProcess({
      dataDir: dataDir.path,
      args: [],
      wrapper: memory.wrapper,
    })
    onTestFinished(async () => {
      if (server.child.exitCode === null) await server.end('SIGKILL')
    })
    const { origin } = server
    const acknowledged = new Set<string>()
    const send = async (each: Hostile, agent: Agent) => {
      const status = await post(origin, agent, each)
      if (status === 200 && each.eventId !== undefined) acknowledged.add(each.eventId)
      return status
    }
    const hostile = listHostile()
    for (let round = 0; round < 2; round += 1) {
      const agent = new Agent({ maxSockets: hostile.length })
      const statuses = await Promise.all(hostile.map((each) => send(each, agent)))
      for (const status of statuses) expect([200, 413, 429]).toContain(status)
      expect(await send(withFiles(), agent)).toBe(200)
      agent.destroy()
    }
    expect(await server.end('SIGTERM')).toBe(0)
    const { ids, integrity } = await readStoreTotals(dataDir.path)
    const stored = new Set(ids)
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
    expect(integrity).toBe('ok')
  },
  180_000,
)
