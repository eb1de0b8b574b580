import { limits } from '#server/limits.ts'
import { hexOf, isOneOf } from '#server/store/engine/per-engine.ts'
import { blockIdsPerMs, firstBlockIdAt } from '#server/store/events/body-block.ts'
import { figureStepMs, type FigureStep } from '#server/store/figures/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { hourMs, hourOf } from '#time/time-steps.ts'
import type { NamedTransaction } from '#traces/transaction-name.ts'

/** A stored trace, by its root span. */
export interface RootSample {
  /** 32 lower-case hex digits. */
  traceId: string
  startedAt: number
  durationUs: number
  isError: boolean
}

/** Selects samples. */
export interface SampleQuery extends NamedTransaction {
  projectId: number
  /** The id of the name in figures. */
  nameId: number
  /** Unix milliseconds. */
  from: number
  to: number
}

/**
 * The newest stored root spans of a transaction: among the newest segments of its project and, for a rare
 * transaction, also among those of the minutes and hours in which it ran according to its figures, up to
 * `limits.soughtSegments`. There is no index of names, because each segment would pay for it. One statement,
 * and some more for a rare transaction.
 */
export async function listRootSamples(db: Db, query: SampleQuery): Promise<RootSample[]> {
  const newest = await readSamples(db, query, { toId: Number.MAX_SAFE_INTEGER })
  const samples = [...newest.samples]
  const firstId = firstBlockIdAt(query.from)
  if (newest.samples.length >= limits.rootSamplesSought || newest.lowestId <= firstId) return samples
  let soughtCount = 0
  for (const { at, step } of await listSteps(db, query, newest.lowestId / blockIdsPerMs)) {
    let toId = Math.min(newest.lowestId, firstBlockIdAt(at + figureStepMs[step] + commitDelayMs))
    const fromId = Math.max(firstId, firstBlockIdAt(at))
    while (toId > fromId) {
      const read = await readSamples(db, query, { fromId, toId })
      samples.push(...read.samples)
      soughtCount += read.count
      toId = read.lowestId
      if (samples.length >= limits.rootSamplesSought || soughtCount >= limits.soughtSegments) return samples
    }
  }
  return samples
}

/** A segment is counted when it is received, and gets its id at the commit after that. */
const commitDelayMs = 10_000

interface SampleRange {
  fromId?: number
  /** Exclusive. */
  toId: number
}

interface ReadSamples {
  samples: RootSample[]
  /** All segments of the range with at least this id were read. */
  lowestId: number
  /** The number of segments. */
  count: number
}

/** The samples among the newest segments of a range. */
async function readSamples(
  db: Db,
  { projectId, name, op, from }: SampleQuery,
  { fromId = 0, toId }: SampleRange,
): Promise<ReadSamples> {
  const newest = db
    .selectFrom('trace_segments')
    .select(['id', 'trace_id', 'started_at', 'duration_us', 'is_error', 'is_root', 'op', 'name'])
    .where('project_id', '=', projectId)
    .where('id', '>=', fromId)
    .where('id', '<', toId)
    .orderBy('id', 'desc')
    .limit(limits.sampledSegments)
  const marked = db.selectFrom(newest.as('s')).select((of) => [
    's.id',
    hexOf(of.ref('s.trace_id')).as('traceId'),
    's.started_at',
    's.duration_us',
    's.is_error',
    of
      .case()
      .when(of.and({ is_root: 1, op, name }).and('started_at', '>=', from))
      .then(1)
      .else(0)
      .end()
      .as('is_sample'),
    of.fn.min('s.id').over().as('lowest_id'),
    of.fn.countAll<number>().over().as('read_count'),
  ])
  const rows = await db
    .selectFrom(marked.as('m'))
    .selectAll()
    .where((of) => of('is_sample', '=', 1).or('id', '=', of.ref('lowest_id')))
    .orderBy('is_sample')
    .orderBy('id', 'desc')
    .limit(limits.rootSamples + 1)
    .execute()
  const count = rows[0]?.read_count ?? 0
  return {
    samples: rows
      .filter((row) => row.is_sample === 1)
      .map((row) => ({
        traceId: row.traceId,
        startedAt: row.started_at,
        durationUs: row.duration_us,
        isError: row.is_error === 1,
      })),
    lowestId: count < limits.sampledSegments ? fromId : (rows[0]?.lowest_id ?? fromId),
    count,
  }
}

/** A minute or an hour in which a transaction ran. */
interface RunStep {
  at: number
  step: FigureStep
}

/** The latest steps before an instant in which a transaction ran: minutes while stored, then hours. */
async function listSteps(db: Db, query: SampleQuery, before: number): Promise<RunStep[]> {
  const { projectId, nameId, from, to } = query
  const minuteFrom = hourOf(Math.max(from, to - limits.figureMinuteHours * hourMs)) + hourMs
  const findSteps = async (step: FigureStep, first: number, last: number): Promise<RunStep[]> => {
    const stepMs = figureStepMs[step]
    const count = Math.max(0, Math.ceil((last - first) / stepMs))
    if (count === 0) return []
    const steps = Array.from({ length: count }, (_, number) => first + number * stepMs)
    const rows = await db
      .selectFrom('figures')
      .select('at')
      .distinct()
      .where('project_id', '=', projectId)
      .where('series', '=', 'transaction')
      .where('step', '=', step)
      .where('name_id', '=', nameId)
      .where((of) => isOneOf(of.ref('at'), JSON.stringify(steps)))
      .orderBy('at', 'desc')
      .limit(limits.sampleSteps)
      .execute()
    return rows.map(({ at }) => ({ at, step }))
  }
  const [minutes, hours] = await Promise.all([
    findSteps('minute', minuteFrom, before),
    findSteps('hour', hourOf(from), Math.min(minuteFrom, before)),
  ])
  return [...minutes, ...hours].slice(0, limits.sampleSteps)
}
