import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore } from '#server/store/store.ts'
import { processEnvelope, readEnvelope } from '#test/envelope-work.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { createSampleEnvelopes } from './ingest/sample-envelopes.ts'

const batchSize = 64
const itemCount = 400 * batchSize
const userCount = 5_000

/**
 * `npm run bench -- sessions`: CPU and bytes on disk of a session that a browser starts, of the update that
 * ends it, and of an error of about 6 kB. From the envelope's bytes to the commit, without HTTP, in batches
 * of 64.
 */
export async function runSessionsBench(): Promise<void> {
  const errors = createSampleEnvelopes({ count: 500, seed: 3 }).map(({ bytes }) => bytes.toString())
  const ids = Array.from({ length: itemCount }, () => randomBytes(16).toString('hex'))
  const begin = await measure((index) => sessionEnvelope(ids[index] ?? '', { init: true, status: 'ok' }))
  // Each pair of envelopes starts a session and ends it.
  const both = await measure((index) =>
    index % 2 === 0
      ? sessionEnvelope(ids[index] ?? '', { init: true, status: 'ok', seq: 1 })
      : sessionEnvelope(ids[index - 1] ?? '', { init: false, status: 'exited', seq: 2 }),
  )
  const error = await measure((index) =>
    (errors[index % errors.length] ?? '').replaceAll('0123456789abcdef0123456789abcdef', ids[index] ?? ''),
  )
  print('a session that begins', begin)
  print('begin and end, each', both)
  print('an error', error)
  console.log(`an error takes ${(error.cpuMicros / begin.cpuMicros).toFixed(1)} times the CPU of a session`)
}

interface Cost {
  cpuMicros: number
  bytes: number
}

function print(name: string, { cpuMicros, bytes }: Cost): void {
  console.log(`${name.padEnd(24)} ${cpuMicros.toFixed(0).padStart(5)} µs CPU, ${bytes.toFixed(0)} B on disk`)
}

/** The mean cost of many envelopes. */
async function measure(makeEnvelope: (index: number) => string): Promise<Cost> {
  const folder = await createTempDir()
  const path = join(folder.path, 'culvert.db')
  const store = await openStore({ path, clock: Date.now })
  const { id: projectId } = await createProject(store, { name: 'Sessions' })
  const committer = createCommitter(store)
  let cpuMicros = 0
  for (let from = 0; from < itemCount; from += batchSize) {
    const envelopes = Array.from({ length: batchSize }, (_, at) => Buffer.from(makeEnvelope(from + at)))
    const cpu = process.cpuUsage()
    await Promise.all(
      envelopes.map((bytes) => committer.commit(processEnvelope(readEnvelope(bytes), { projectId }).work)),
    )
    const used = process.cpuUsage(cpu)
    // The first quarter fills caches and warms up V8.
    if (from >= itemCount / 4) cpuMicros += used.user + used.system
  }
  await store.close()
  const bytes = statSync(path).size
  await folder.remove()
  return { cpuMicros: cpuMicros / (itemCount * 0.75), bytes: bytes / itemCount }
}

/** Like `@sentry/browser`: many users, some of whom return. */
function sessionEnvelope(sid: string, fields: Record<string, unknown>): string {
  const now = new Date().toISOString()
  const item = {
    sid,
    ...fields,
    started: now,
    timestamp: now,
    errors: 0,
    did: String(Number.parseInt(sid.slice(0, 8), 16) % userCount),
    attrs: {
      release: 'web@2.0.0',
      environment: 'production',
      user_agent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    },
  }
  return `${JSON.stringify({ sent_at: now })}\n{"type":"session"}\n${JSON.stringify(item)}`
}
