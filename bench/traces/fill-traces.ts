import { randomBytes } from 'node:crypto'
import { figureNameId, transactionFacet } from '#server/store/figures/name-id.ts'
import type { FigureSeries, FigureStep } from '#server/store/figures/records.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { processEnvelope, readEnvelope } from '#test/envelope-work.ts'
import { dayMs, dayOf, hourMs, hourOf, minuteMs, stepOf } from '#time/time-steps.ts'
import { addValue, encodeHistogram } from '#traces/histogram.ts'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import { createPageLoads } from '../ingest/sample-traces.ts'
import { benchProject, createBenchProject } from '../support/project.ts'
import { createRandom } from '../support/random.ts'

/** The names in the store of one project after 100,000,000 spans in 90 days. */
const transactionNames = Array.from({ length: 300 }, (_, at) => `/category/${at}`)
const groupNames = Array.from({ length: 1_000 }, (_, at) => `SELECT * FROM table_${at} WHERE id = %s`)
const routeNames = transactionNames.slice(0, 60)
const groupsPerTransaction = 8
const vitalFacets = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'].flatMap((vital) => [
  `${vital} desktop`,
  `${vital} mobile`,
])
const releases = ['web@1.1.0', 'web@1.2.0']
/** Segments that are ingested; the others are copies of them in other traces. */
const ownSegments = 2_000
/** Segments of the largest trace: the maximum that a page reads. */
const largeTraceSegments = 200

/** The contents of the filled store that the benchmark requests. */
export interface FilledTraces {
  segmentCount: number
  spanCount: number
  figureCount: number
  traceId: string
  largeTraceId: string
  /** The id of a name in figures. */
  transaction: number
  issueId: string
}

/**
 * Fills a store as 100,000,000 received spans would: bodies up to the budget of 2 GB, and figures for each
 * name and step of time within their retention. Some thousand traces are ingested and then copied in SQL with
 * new ids; figures are written as rows, because their number does not depend on the number of spans.
 */
export async function fillTraces(path: string, bodyBytes: number): Promise<FilledTraces> {
  const now = Date.now()
  const store = await openStore({ path, clock: () => now })
  await createBenchProject(store)
  const traceIds = await ingest(store)
  const figureCount = fillFigures(store, now)
  copySegments(store, bodyBytes)
  const one = (sql: string) => String(store.connection.prepare(sql).get()?.['it'] ?? '')
  store.connection.exec('ANALYZE')
  const filled = {
    segmentCount: Number(one('SELECT count(*) AS it FROM trace_segments')),
    spanCount: Number(one('SELECT sum(span_count) AS it FROM trace_segments')),
    figureCount,
    ...traceIds,
    transaction: figureNameId({ kind: 'transaction', op: 'pageload', name: '/category/7' }),
    issueId: one('SELECT id AS it FROM issues LIMIT 1'),
  }
  await store.close()
  return filled
}

/** Page loads, one trace with many of them, and an error in one. */
async function ingest(store: Store): Promise<{ traceId: string; largeTraceId: string }> {
  const committer = createCommitter(store)
  const largeTraceId = randomBytes(16).toString('hex')
  let traceId = ''
  const commit = (bytes: Buffer) => {
    const context = { projectId: benchProject.id, receivedAt: store.clock(), clientAddress: '203.0.113.9' }
    return committer.commit(processEnvelope(readEnvelope(bytes), context).work)
  }
  await Promise.all(
    createPageLoads(ownSegments, 5).map(({ bytes, idOffsets }, at) => {
      traceId = at < largeTraceSegments ? largeTraceId : randomBytes(16).toString('hex')
      for (const offset of idOffsets) bytes.write(traceId, offset, 'latin1')
      // Spans of the large trace already have their own ids.
      return commit(bytes)
    }),
  )
  const [error] = createSampleEnvelopes({ count: 1, seed: 1, issueCount: 1 })
  const text = error?.bytes.toString().replace(/"trace_id":"[0-9a-f]{32}"/, `"trace_id":"${traceId}"`)
  await commit(Buffer.from(text ?? ''))
  await committer.close()
  return { traceId, largeTraceId }
}

function copySegments({ connection }: Store, bodyBytes: number): void {
  const { bytes } =
    connection.prepare('SELECT sum(length(data) + 200) AS bytes FROM trace_segments').get() ?? {}
  const copies = Math.floor(bodyBytes / Number(bytes))
  // Created again at the end: sorting is a hundred times faster than inserting row by row.
  const indexes = connection
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'trace_segments' AND sql <> ''`,
    )
    .all()
  for (const { name } of indexes) connection.exec(`DROP INDEX ${String(name)}`)
  const columns =
    'span_id, is_root, started_at, duration_us, span_count, op, name, is_error, environment, release'
  connection.exec('BEGIN; CREATE TEMP TABLE own AS SELECT * FROM trace_segments')
  const copy = connection.prepare(
    `INSERT INTO trace_segments (project_id, id, trace_id, ${columns}, worth, received_at, data, event_id)
     SELECT project_id, id - ?1 * 100000000000, randomblob(16), ${columns}, 1, received_at, data, randomblob(16)
     FROM temp.own`,
  )
  for (let at = 1; at <= copies; at += 1) copy.run(at)
  connection.exec('COMMIT')
  for (const { sql } of indexes) connection.exec(String(sql))
  connection.exec('UPDATE trace_totals SET segment_count = (SELECT count(*) FROM trace_segments)')
}

/** Returns the number of rows. */
function fillFigures({ connection }: Store, now: number): number {
  const insertName = connection.prepare('INSERT OR REPLACE INTO figure_names VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const histograms = createHistograms()
  const nameOf = (kind: 'transaction' | 'span' | 'vital', op: string, name: string) => {
    const id = figureNameId({ kind, op, name })
    insertName.run(benchProject.id, id, kind, op, name, now - 90 * dayMs, dayOf(now))
    return id
  }
  connection.exec('BEGIN')
  const transactions = transactionNames.map((name) => nameOf('transaction', 'pageload', name))
  const groups = groupNames.map((name) => nameOf('span', 'db', name))
  const routes = routeNames.map((name) => nameOf('vital', '', name))
  const keys = {
    transaction: transactions.map((id) => [id, 'production'] as const),
    release: transactions.flatMap((id) => releases.map((release) => [id, release] as const)),
    span: transactionNames.flatMap((name, at) =>
      Array.from({ length: groupsPerTransaction }, (_, number) => {
        const group = groups[(at * 7 + number * 131) % groups.length] ?? 0
        return [group, transactionFacet(name)] as const
      }),
    ),
    group: groups.map((id) => [id, ''] as const),
    vital: routes.flatMap((id) => vitalFacets.map((facet) => [id, facet] as const)),
  }
  let count = 0
  const addSteps = (series: FigureSeries, step: FigureStep, [stepMs, first]: [number, number]) => {
    const sorted = keys[series].toSorted(([one], [other]) => one - other)
    for (let at = stepOf(first, stepMs); at <= now; at += stepMs) {
      for (const [nameId, facet] of sorted) {
        count += 1
        const { values, sum, bytes } = histograms[count % histograms.length] ?? none
        const histogram = series === 'span' ? none.bytes : bytes
        insert.run(benchProject.id, series, step, at, nameId, facet, values, values, 1, 1, sum, histogram)
      }
    }
  }
  addSteps('transaction', 'minute', [minuteMs, now - 48 * hourMs])
  for (const series of ['transaction', 'release', 'span', 'group', 'vital'] as const)
    addSteps(series, 'hour', [hourMs, hourOf(now) - 30 * dayMs])
  for (const series of ['transaction', 'span', 'group', 'vital'] as const)
    addSteps(series, 'day', [dayMs, dayOf(now) - 90 * dayMs])
  connection.exec('COMMIT')
  return count
}

const none = { values: 0, sum: 0, bytes: new Uint8Array(0) }

/** Some histograms of about 60 durations. */
function createHistograms() {
  const random = createRandom(8)
  return Array.from({ length: 1_000 }, () => {
    const histogram = new Map<number, number>()
    let sum = 0
    for (let value = 0; value < 60; value += 1) {
      const duration = Math.round(40_000 * Math.exp(2 * random()))
      addValue(histogram, duration)
      sum += duration
    }
    return { values: 60, sum, bytes: encodeHistogram(histogram) }
  })
}
