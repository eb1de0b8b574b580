import { readFileSync } from 'node:fs'
import { setImmediate as nextTick } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { prepareIngestProcess } from '#test/process-of-file.ts'
import { protobufField as field } from '#test/protobuf.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'

const { id, publicKey } = fixtureProject

/** Enough for each of the limits. A request may have `limits.otlpBytes`, which take longer to compress. */
const bombBytes = 4 * 1024 * 1024

/** The same bytes again and again. */
const repeat = (part: Uint8Array | string) => {
  const bytes = Buffer.from(part)
  const count = Math.floor(bombBytes / bytes.length)
  return Buffer.from(bytes.toString('latin1').repeat(count), 'latin1')
}
const requestOf = (spans: Uint8Array) => field(1, field(2, spans))
const spanOf = (fields: Uint8Array) => requestOf(field(2, fields))
const attribute = (value: Uint8Array) => Buffer.concat([field(1, 'k'), field(2, value)])
const jsonOf = (start: string, part: string, end: string) =>
  Buffer.from(`${start}${repeat(part).toString().slice(0, -1)}${end}`)

/** A few kB each, compressed; they took up to 12 s and 685 MB. */
const protobufBombs: Record<string, () => Buffer> = {
  'spans without fields': () => requestOf(repeat(field(2, ''))),
  'resources without spans': () => repeat(field(1, '')),
  'scopes without spans': () => field(1, repeat(field(2, ''))),
  'attributes of a span': () => spanOf(repeat(field(9, attribute(field(1, ''))))),
  'events of a span': () => spanOf(repeat(field(11, ''))),
  'links of a span': () => spanOf(repeat(field(13, ''))),
  'attributes of a resource': () => field(1, field(1, repeat(field(1, attribute(field(1, '')))))),
  'values of a list': () => spanOf(field(9, attribute(field(5, repeat(field(1, '')))))),
  'pairs of an object': () => spanOf(field(9, attribute(field(6, repeat(field(1, '')))))),
}

const spansStart = '{"resourceSpans":[{"scopeSpans":[{"spans":['
const jsonBombs: Record<string, () => Buffer> = {
  'spans without fields': () => jsonOf(spansStart, '{},', ']}]}]}'),
  'spans that are numbers': () => jsonOf(spansStart, '0,', ']}]}]}'),
  'attributes of a span': () => jsonOf(`${spansStart}{"attributes":[`, '{},', ']}]}]}]}'),
  'lists in lists': () =>
    Buffer.from(`${spansStart}{"attributes":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}]}]}]}`),
  'names of a request': () => jsonOf('{', '"a":0,', '}'),
}

const bombs = [
  ...Object.entries(protobufBombs).map(([name, write]) => [name, 'application/x-protobuf', write] as const),
  ...Object.entries(jsonBombs).map(([name, write]) => [name, 'application/json', write] as const),
]

function send(origin: string, type: string, body: Buffer): Promise<Response> {
  return fetch(`${origin}/api/${id}/integration/otlp/v1/traces`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: {
      'content-type': type,
      'content-encoding': 'gzip',
      'x-sentry-auth': `sentry sentry_key=${publicKey}`,
    },
  })
}

describe('an OTLP request that expands to millions of', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  async function countRejected(): Promise<number> {
    await server.services.rejectedCounts.flush()
    const rows = await server.services.store.db
      .selectFrom('outcome_hours')
      .select('quantity')
      .where('category', '=', 'unknown')
      .where('reason', '=', 'too_large')
      .execute()
    return rows.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  it.each(bombs)('%s (%s) is rejected, counted once, and delays nothing', async (_name, type, write) => {
    const before = await countRejected()
    const body = gzipSync(write())
    const sending = { isOver: false }
    const sent = send(server.origin, type, body).finally(() => (sending.isOver = true))
    let longestMs = 0
    while (!sending.isOver) {
      const at = threadCpuMs()
      await nextTick()
      longestMs = Math.max(longestMs, threadCpuMs() - at)
    }
    const answer = await sent
    expect([answer.status, await answer.text()]).toEqual([
      413,
      expect.stringMatching(/^{"detail":"OTLP request exceeded size limits: .* more than \d+ fields"}$/),
    ])
    expect(await countRejected()).toBe(before + 1)
    // Of the CPU: the machine may be busy with others. Steps of 20 ms (measured).
    expect(longestMs).toBeLessThan(300)
  })
})

const running = prepareIngestProcess()

/** The peak memory of the server; 0 if the system does not report it. */
function readPeakMb(): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${running.server.child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) / 1000
}

describe('thirty such requests at once', () => {
  it('need little memory, and errors are stored meanwhile', async () => {
    const { origin } = running.server
    const bodies = bombs.map(([, type, write]) => [type, gzipSync(write())] as const)
    const sendError = () => postEnvelope(origin, errorEnvelope())
    expect((await sendError()).status).toBe(200)
    const before = readPeakMb()
    const state = { isDone: false }
    const sent = Promise.all(
      [...bodies, ...bodies].map(async ([type, body]) => (await send(origin, type, body)).status),
    ).finally(() => (state.isDone = true))
    while (!state.isDone) expect([200, 429]).toContain((await sendError()).status)
    for (const status of await sent) expect([413, 429]).toContain(status)
    expect(readPeakMb() - before).toBeLessThan(350)
    expect((await sendError()).status).toBe(200)
  })
})

const textAttribute = (name: string, text: string) =>
  Buffer.concat([field(1, name), field(2, field(1, text))])
const serviceFields = [
  'service.name',
  'service.version',
  'deployment.environment.name',
  'telemetry.sdk.language',
]
const spanStart = () => {
  const startedAt = BigInt(Date.now() - 5_000) * 1_000_000n
  return Buffer.concat([field(1, Buffer.alloc(16, 1)), field(7, startedAt), field(8, startedAt + 1_000_000n)])
}

/** Requests that are accepted; the first two took 32 s and 845 MB, or ended the process. */
const accepted: Record<string, () => Buffer> = {
  'long texts of the service, for 20,000 spans': () => {
    const long = serviceFields.map((name) => field(1, textAttribute(name, 'x'.repeat(8_192))))
    const spans = Array.from({ length: 20_000 }, () => field(2, field(5, 'x')))
    return field(1, Buffer.concat([field(1, Buffer.concat(long)), field(2, Buffer.concat(spans))]))
  },
  'a root span with a name of 1 MB, and 15,000 descendants': () => {
    const root = Buffer.concat([spanStart(), field(2, Buffer.alloc(8, 1)), field(5, 'x'.repeat(1_000_000))])
    const child = Buffer.concat([spanStart(), field(2, Buffer.alloc(8, 2)), field(4, Buffer.alloc(8, 1))])
    const spans = [root, ...Array.from({ length: 15_000 }, () => child)]
    return requestOf(Buffer.concat(spans.map((span) => field(2, span))))
  },
  '19 MB of attributes': () => {
    const attributes = Array.from({ length: 97 }, (_, at) =>
      field(9, textAttribute(`k${at}`, 'x'.repeat(30))),
    )
    const fields = [spanStart(), field(2, Buffer.alloc(8, 1)), field(5, 'x'), ...attributes]
    return requestOf(Buffer.concat(Array(4_500).fill(field(2, Buffer.concat(fields)))))
  },
}

describe('an accepted OTLP request with', () => {
  it.each(Object.entries(accepted))(
    '%s needs little memory, and errors are stored meanwhile',
    async (_what, write) => {
      const { origin } = running.server
      const body = gzipSync(write())
      const before = readPeakMb()
      const state = { isDone: false }
      const sent = send(origin, 'application/x-protobuf', body).finally(() => (state.isDone = true))
      while (!state.isDone) expect((await postEnvelope(origin, errorEnvelope())).status).toBe(200)
      expect((await sent).status).toBe(200)
      expect(readPeakMb() - before).toBeLessThan(250)
    },
  )
})
