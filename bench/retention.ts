/**
 * The effect of deletion on ingest: fills a store with events of two months, then accepts 2,000 events a
 * second while retention deletes nine tenths of it and frees the space. Everything runs in one process, as in
 * the server, but without HTTP, normalizing and grouping.
 *
 * The same load is also measured without retention, because both machine and disk may be busy.
 *
 * npm run bench -- retention [events] [events a second]
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { totalEvents } from '#server/retention/run-report.ts'
import { runRetention } from '#server/retention/run-retention.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { dayMs } from '#time/time-steps.ts'
import { createEventSource } from './retention/event-source.ts'
import { startLoad, type LoadResult } from './retention/load.ts'
import { commitEvents } from './support/commit-events.ts'

const projectId = 42
const fillDays = 60
const fillBatch = 64
const quietMs = 10_000

/** Runs the benchmark in a new folder. */
export async function runRetentionBench(): Promise<void> {
  const eventCount = Number(process.argv[3] ?? 200_000)
  const eventsPerSecond = Number(process.argv[4] ?? 2_000)
  const folder = await createTempDir()
  try {
    await measure(join(folder.path, 'culvert.db'), { eventCount, eventsPerSecond })
  } finally {
    await folder.remove()
  }
}

interface Plan {
  eventCount: number
  eventsPerSecond: number
}

async function measure(path: string, { eventCount, eventsPerSecond }: Plan): Promise<void> {
  await fill(path, eventCount)
  const store = await openStore({ path, clock: Date.now })
  const filledBytes = statSync(path).size
  console.log(`${eventCount} events of ${fillDays} days: ${toMegabytes(filledBytes)}`)
  const committer = createCommitter(store)
  const nextEvent = createEventSource(projectId)
  const begin = () => startLoad({ committer, nextEvent, eventsPerSecond })

  const quiet = begin()
  await new Promise((resolve) => setTimeout(resolve, quietMs))
  printLoad('without retention', await quiet.stop())

  await updateProjectSettings(store, projectId, ({ retention }) => ({
    retention: { ...retention, events: Math.ceil(eventCount / 10) },
  }))
  const busy = begin()
  const report = await runRetention({ store, maxBytes: 10 ** 12, disk: undefined, isClockTrusted: true })
  printLoad('with retention', await busy.stop())
  const deleted = totalEvents(report)
  const seconds = report.tookMs / 1000
  console.log(
    `deleted ${deleted} events in ${seconds.toFixed(1)} s: ${Math.round(deleted / seconds)}/s, ` +
      `steps ${report.sliceMs.p99.toFixed(1)} ms p99, ${report.sliceMs.longest.toFixed(1)} ms max`,
  )
  console.log(`file ${toMegabytes(filledBytes)} before, ${toMegabytes(statSync(path).size)} after`)
  await store.close()
}

async function fill(path: string, eventCount: number): Promise<void> {
  const endsAt = Date.now()
  let now = endsAt - fillDays * dayMs
  const stepMs = (endsAt - now) / eventCount
  const store: Store = await openStore({ path, clock: () => Math.floor(now) })
  await createProject(store, { id: projectId, name: 'Bench' })
  const committer = createCommitter(store)
  const nextEvent = createEventSource(projectId)
  for (let done = 0; done < eventCount; done += fillBatch) {
    const events = Array.from({ length: fillBatch }, () => nextEvent(Math.floor((now += stepMs))))
    await commitEvents(committer, events)
  }
  await committer.drain()
  await store.close()
}

function printLoad(name: string, { eventCount, commitMs, seconds }: LoadResult): void {
  const sorted = commitMs.toSorted((one, other) => one - other)
  const at = (quantile: number) => (sorted[Math.floor((sorted.length - 1) * quantile)] ?? 0).toFixed(1)
  console.log(
    `${name.padEnd(18)} ${Math.round(eventCount / seconds)} events/s, commit ${at(0.5)} ms p50, ` +
      `${at(0.99)} ms p99, ${at(0.999)} ms p99.9, ${at(1)} ms max`,
  )
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
