import { randomUUID } from 'node:crypto'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { FilterSample } from '#server/store/ingest/records.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { dayMs, dayOf } from '#time/time-steps.ts'

/**
 * Stores the newest samples of each project, filter reason and UTC day, and deletes those that they replace.
 * Inside the batch's transaction. Regardless of the number of filtered items, a batch writes at most
 * `limits.filterSamplesPerDay` rows of it.
 */
export function writeFilterSamples(statements: IngestStatements, samples: readonly FilterSample[]): void {
  if (samples.length === 0) return
  const days = Map.groupBy(
    samples,
    ({ projectId, reason, receivedAt }) => `${projectId}\0${reason}\0${dayOf(receivedAt)}`,
  )
  for (const [, ofDay] of [...days].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    writeDay(statements, ofDay)
  }
}

function writeDay(statements: IngestStatements, samples: readonly FilterSample[]): void {
  const newest = samples
    .toSorted((one, other) => one.receivedAt - other.receivedAt)
    .slice(-limits.filterSamplesPerDay)
  for (const sample of newest) insertSample(statements, sample)
  const [sample] = newest
  if (sample === undefined) return
  const { projectId, reason } = sample
  const day = dayOf(sample.receivedAt)
  const key = [projectId, reason, day] as const
  statements.deleteSurplusFilterSamples.run(...key, ...key, limits.filterSamplesPerDay)
  statements.deleteOldFilterSamples.run(projectId, reason, day - limits.filterSampleDays * dayMs)
}

function insertSample(statements: IngestStatements, sample: FilterSample): void {
  const { projectId, reason, receivedAt, category, title, environment, release, payload } = sample
  const { eventId, traceId } = sample
  statements.insertFilterSample.run(
    projectId,
    reason,
    dayOf(receivedAt),
    receivedAt,
    randomUUID(),
    category,
    title,
    environment,
    release ?? null,
    payload.byteLength,
    payload.byteLength > limits.filterSampleBytes ? null : payload,
    eventId === undefined ? null : toIdBytes(eventId),
    traceId === undefined ? null : toIdBytes(traceId),
  )
}
