import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCommitter, type Committer } from '#server/store/ingest/committer.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { readProcessUsage } from '../ingest/process-usage.ts'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import { toSampleRecord } from '../ingest/sample-record.ts'
import { fillStore } from '../reads/fill-store.ts'
import { commitEvents } from '../support/commit-events.ts'
import { benchProject, createBenchProject } from '../support/project.ts'
import { readLoggedPages } from './log-frames.ts'

/** Events before the measured ones, until every cache of the committer is filled. */
const warmUpEvents = 3_200
/** Databases created by Culvert 0.2 have pages of 4 KiB. */
const pageSizes = new Set([512, 1_024, 2_048, 4_096, 8_192])

interface Load {
  issueCount: number
  eventCount: number
  batchSize: number
  /** Events per second: folds run at intervals, so versions need the same rate. 0: as fast as possible. */
  rate: number
}

/**
 * Bytes that the committer alone writes to disk per event on SQLite, and its CPU: browser errors of 6 kB, in
 * batches as large as those of a busy server.
 *
 * npm run bench -- written [--issues 100] [--events 15000] [--batch 32] [--rate 600] [--store 0]
 *                              [--page 2048] [--tables]
 *
 * `--store`: the number of events in the store before the measurement. `--page`: the size of its pages.
 * `--tables`: keeps the whole log and prints which tables and indexes its frames belong to. A log of several
 * hundred megabytes takes CPU time by itself.
 */
export async function runWrittenBench(): Promise<void> {
  const { load, storedEvents, pageBytes, isByTable } = readArguments(process.argv.slice(3))
  const folder = await createTempDir()
  const path = join(folder.path, 'culvert.db')
  makeFile(path, pageBytes)
  const { issueCount } = load
  if (storedEvents > 0)
    await fillStore({ path, eventCount: storedEvents, issueCount, busyIssueCount: issueCount })
  const store = await openStore({ path, clock: Date.now })
  try {
    if (storedEvents === 0) await createBenchProject(store)
    await measure(store, load, isByTable)
  } finally {
    await store.close()
    await folder.remove()
  }
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      issues: text,
      events: text,
      batch: text,
      rate: text,
      store: text,
      page: text,
      tables: { type: 'boolean' },
    },
  })
  const pageBytes = Number(values.page ?? 2_048)
  if (!pageSizes.has(pageBytes)) throw new Error(`pages have ${[...pageSizes].join(', ')} bytes`)
  return {
    load: {
      issueCount: Number(values.issues ?? 100),
      eventCount: Number(values.events ?? 15_000),
      batchSize: Number(values.batch ?? 32),
      rate: Number(values.rate ?? 600),
    },
    storedEvents: Number(values.store ?? 0),
    pageBytes,
    isByTable: values.tables === true,
  }
}

/** The page size can be set only while the database is empty. */
function makeFile(path: string, pageBytes: number): void {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL`)
  sqlite.exec('CREATE TABLE any (a); DROP TABLE any')
  sqlite.close()
}

async function measure(store: Store, load: Load, isByTable: boolean): Promise<void> {
  const { issueCount, eventCount, batchSize } = load
  const committer = createCommitter(store)
  const samples = createSampleEnvelopes({ count: warmUpEvents + eventCount, seed: 5, issueCount })
  const records = samples.map(({ bytes, idOffsets }) => {
    for (const offset of idOffsets) bytes.write(randomUUID().replaceAll('-', ''), offset, 'latin1')
    return toSampleRecord(bytes, benchProject.id)
  })
  await send(committer, records.splice(0, warmUpEvents), { batchSize, rate: 0 })
  await committer.drain()
  if (isByTable) store.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const reader = isByTable ? keepLog(store.path) : undefined
  const before = readProcessUsage(process.pid)
  const cpuMicros = await send(committer, records, load)
  await committer.close()
  const { writtenBytes } = readProcessUsage(process.pid)
  console.log(
    `${issueCount} issues: ${((writtenBytes - before.writtenBytes) / eventCount / 1000).toFixed(1)} kB written and ` +
      `${(cpuMicros / eventCount).toFixed(0)} µs of CPU per event, in batches of ${batchSize}`,
  )
  reader?.close()
  if (!isByTable) return
  const pages = readLoggedPages(store.path)
  const perEvent = (count: number) => Number((count / eventCount).toFixed(3))
  console.table(
    pages.map(({ name, frameCount, pageCount }) => ({
      name,
      'frames per event': perEvent(frameCount),
      'pages per event': perEvent(pageCount),
    })),
  )
}

/** Begins a read. No checkpoint, of any connection, restarts the log until it is closed. */
function keepLog(path: string): DatabaseSync {
  const reader = new DatabaseSync(path, { readOnly: true })
  reader.exec('BEGIN; SELECT count(*) FROM settings')
  return reader
}

type Records = ReturnType<typeof toSampleRecord>[]

/** Returns the CPU time of the commits, in microseconds. */
async function send(
  committer: Committer,
  records: Records,
  { batchSize, rate }: Pick<Load, 'batchSize' | 'rate'>,
): Promise<number> {
  const startedAt = performance.now()
  let cpuMicros = 0
  for (let done = 0; done < records.length; done += batchSize) {
    const dueAt = rate === 0 ? 0 : startedAt + (done / rate) * 1000
    const before = process.cpuUsage()
    if (dueAt > performance.now()) await sleep(dueAt - performance.now())
    const batch = records.slice(done, done + batchSize)
    await commitEvents(committer, batch)
    const { user, system } = process.cpuUsage(before)
    cpuMicros += user + system
  }
  return cpuMicros
}
