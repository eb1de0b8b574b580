import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import { hasRows } from '#server/retention/row-deletion.ts'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { SqlRow } from '#server/store/engine/connection.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import { figureNameId } from '#server/store/figures/name-id.ts'
import { dayOf, hourMs, minuteMs, stepOf } from '#time/time-steps.ts'
import { addHistogram, decodeHistogram, type LogHistogram } from '#traces/histogram.ts'
import { chooseTraces, type ChosenSegment } from './choice.ts'
import { createTraceKeeper } from './kept-traces.ts'

/**
 * Decides for segments of a project that are older than `limits.traceHotMs` whether their trace is kept for a
 * reason (`chooseTraces`). By then errors and late children of the trace have arrived.
 */
export async function chooseSegments(
  run: ExpiryRun,
  projectId: number,
  siblings: readonly number[],
): Promise<void> {
  const statements = prepare(run)
  const keeper = createTraceKeeper(run.store)
  const endId = firstBlockIdAt(run.now - limits.traceHotMs)
  if (!(await hasRows(run, { table: 'trace_segments', where: unchosen }, [projectId, projectId, endId])))
    return
  await run.pacer.repeat(() => {
    // Lost with a damaged file: without the row, the same segments would be chosen again and again.
    if (statements.readChosen.get(projectId) === undefined)
      statements.restoreTotals.run(limits.traceRowBytes, projectId)
    const chosenId = Number(statements.readChosen.get(projectId)?.['chosen_id'] ?? 0)
    const rows = statements.readSlice.all(projectId, chosenId, endId, limits.traceChoiceSegments)
    const lastId = rows.at(-1)?.['id']
    if (typeof lastId !== 'number') return true
    const segments = rows.map(toSegment)
    const traceIds = segments.map(({ traceId }) => traceId)
    const chosen = chooseTraces(segments, {
      errorTraces: keeper.findErrorTraces(traceIds, siblings),
      newNames: noteNames(statements, { projectId, segments, now: run.now }),
      durationsOf: createDurations(statements, projectId),
    })
    keeper.keep(chosen, siblings)
    statements.keepWhileRoom.run(projectId, chosenId, lastId)
    statements.setChosen.run(lastId, projectId)
    return rows.length < limits.traceChoiceSegments
  })
}

const unchosen = `project_id = ? AND id > coalesce((SELECT chosen_id FROM trace_totals WHERE project_id = ?), 0)
  AND id < ?`

type Statements = ReturnType<typeof prepare>

function prepare({ store: { connection } }: ExpiryRun) {
  return {
    readChosen: connection.prepare('SELECT chosen_id FROM trace_totals WHERE project_id = ?'),
    readSlice: connection.prepare(
      `SELECT id, trace_id, is_root, op, name, duration_us, is_error, received_at FROM trace_segments
       WHERE project_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?`,
    ),
    keepWhileRoom: connection.prepare(
      'UPDATE trace_segments SET worth = 1 WHERE project_id = ? AND id > ? AND id <= ? AND worth = 0',
    ),
    restoreTotals: connection.prepare(
      `INSERT INTO trace_totals (project_id, segment_count, stored_bytes, chosen_id)
       SELECT project_id, count(*), sum(length(data) + ?), 0 FROM trace_segments WHERE project_id = ? GROUP BY project_id`,
    ),
    setChosen: connection.prepare('UPDATE trace_totals SET chosen_id = ? WHERE project_id = ?'),
    countNames: connection.prepare('SELECT count(*) AS name_count FROM trace_names WHERE project_id = ?'),
    addName: connection.prepare(
      `INSERT INTO trace_names (project_id, name, first_seen_at) VALUES (?, ?, ?) ON CONFLICT (project_id, name) DO NOTHING`,
    ),
    findFirstSeen: connection.prepare(
      'SELECT first_seen_at FROM figure_names WHERE project_id = ? AND id = ?',
    ),
    readDurations: connection.prepare(
      `SELECT histogram FROM figures
       WHERE project_id = ? AND series = 'transaction' AND step = 'day' AND at = ? AND name_id = ?`,
    ),
  }
}

function toSegment(row: SqlRow): ChosenSegment {
  const traceId = row['trace_id']
  if (!(traceId instanceof Uint8Array)) throw new TypeError('a segment has no trace')
  return {
    traceId: fromIdBytes(traceId),
    isRoot: row['is_root'] === 1,
    op: String(row['op']),
    name: String(row['name']),
    durationUs: Number(row['duration_us']),
    isError: row['is_error'] === 1,
    receivedAt: Number(row['received_at']),
  }
}

function nameIdOf({ op, name }: ChosenSegment): number {
  return figureNameId({ kind: 'transaction', op, name })
}

/** Reads the durations of a name on a day once for all segments of a step. */
function createDurations({ readDurations }: Statements, projectId: number) {
  const known = new Map<string, LogHistogram>()
  return (segment: ChosenSegment): LogHistogram => {
    const [nameId, day] = [nameIdOf(segment), dayOf(segment.receivedAt)]
    const key = `${nameId} ${day}`
    let durations = known.get(key)
    if (durations === undefined) {
      durations = new Map()
      for (const { histogram } of readDurations.all(projectId, day, nameId))
        if (histogram instanceof Uint8Array) addHistogram(durations, decodeHistogram(histogram))
      known.set(key, durations)
    }
    return durations
  }
}

/**
 * Records the names of root spans, and returns the new ones. A name is also known if it has figures, which
 * are kept longer. If too many names are recorded, only the figures decide.
 */
function noteNames(
  { countNames, addName, findFirstSeen }: Statements,
  { projectId, segments, now }: { projectId: number; segments: readonly ChosenSegment[]; now: number },
): Set<string> {
  const byName = Map.groupBy(
    segments.filter(({ isRoot }) => isRoot),
    ({ name }) => name,
  )
  let knownCount = Number(countNames.get(projectId)?.['name_count'])
  const added = new Set<string>()
  for (const [name, ofName] of byName) {
    const [first] = ofName
    if (first === undefined) continue
    const firstSeen = findFirstSeen.get(projectId, nameIdOf(first))?.['first_seen_at']
    if (knownCount >= limits.traceNamesPerProject) {
      if (typeof firstSeen === 'number' && firstSeen >= stepOf(first.receivedAt, minuteMs)) added.add(name)
      continue
    }
    if (Number(addName.run(projectId, name, now).changes) === 0) continue
    knownCount += 1
    if (typeof firstSeen !== 'number' || firstSeen >= first.receivedAt - hourMs) added.add(name)
  }
  return added
}
