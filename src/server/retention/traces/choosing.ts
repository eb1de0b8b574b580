import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import type { SqlRow } from '#server/store/engine/connection.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import { chooseTraces, type ChosenSegment } from './choice.ts'

/** Trace ids in one statement: the text of the statement is the same for any number of them. */
const idsPerStatement = 50

/**
 * Decides of the segments of a project that are older than `limits.traceHotMs` whether their trace is kept
 * for a reason (`chooseTraces`). Until then errors and late children of the trace have arrived.
 */
export async function chooseSegments(
  run: ExpiryRun,
  projectId: number,
  projectIds: readonly number[],
): Promise<void> {
  const statements = prepare(run)
  const endId = firstBlockIdAt(run.now - limits.traceHotMs)
  // Ids of traces are random, so a trace is looked up in every project.
  const siblings = [projectId, ...projectIds.filter((id) => id !== projectId)].slice(0, limits.traceProjects)
  await run.pacer.repeat(() => {
    const chosenId = Number(statements.readChosen.get(projectId)?.['chosen_id'] ?? 0)
    const rows = statements.readSlice.all(projectId, chosenId, endId, limits.traceChoiceSegments)
    const lastId = rows.at(-1)?.['id']
    if (typeof lastId !== 'number') return true
    const segments = rows.map(toSegment)
    const chosen = chooseTraces(segments, {
      errorTraces: findErrorTraces(statements, segments, siblings),
      newNames: noteNames(statements, { projectId, segments, now: run.now }),
    })
    for (const ids of chunksOf([...chosen]))
      for (const sibling of siblings) statements.keepTraces.run(sibling, ...ids)
    statements.keepWhileRoom.run(projectId, chosenId, lastId)
    statements.setChosen.run(lastId, projectId)
    return rows.length < limits.traceChoiceSegments
  })
}

type Statements = ReturnType<typeof prepare>

function prepare({ store: { connection } }: ExpiryRun) {
  const places = Array.from({ length: idsPerStatement }, () => '?').join(', ')
  return {
    readChosen: connection.prepare('SELECT chosen_id FROM trace_totals WHERE project_id = ?'),
    readSlice: connection.prepare(
      `SELECT id, trace_id, is_root, name, duration_us FROM trace_segments
       WHERE project_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?`,
    ),
    findErrors: connection.prepare(
      `SELECT DISTINCT trace_id FROM events WHERE project_id = ? AND trace_id IN (${places})`,
    ),
    keepTraces: connection.prepare(
      `UPDATE trace_segments SET worth = 2 WHERE project_id = ? AND trace_id IN (${places}) AND worth <> 2`,
    ),
    keepWhileRoom: connection.prepare(
      'UPDATE trace_segments SET worth = 1 WHERE project_id = ? AND id > ? AND id <= ? AND worth = 0',
    ),
    setChosen: connection.prepare('UPDATE trace_totals SET chosen_id = ? WHERE project_id = ?'),
    countNames: connection.prepare('SELECT count(*) AS name_count FROM trace_names WHERE project_id = ?'),
    addName: connection.prepare(
      `INSERT INTO trace_names (project_id, name, first_seen_at) VALUES (?, ?, ?) ON CONFLICT (project_id, name) DO NOTHING`,
    ),
  }
}

function toSegment(row: SqlRow): ChosenSegment {
  const traceId = row['trace_id']
  if (!(traceId instanceof Uint8Array)) throw new TypeError('a segment has no trace')
  return {
    traceId: fromIdBytes(traceId),
    isRoot: row['is_root'] === 1,
    name: String(row['name']),
    durationUs: Number(row['duration_us']),
  }
}

function findErrorTraces(
  { findErrors }: Statements,
  segments: readonly ChosenSegment[],
  projectIds: readonly number[],
): Set<string> {
  const traceIds = [...new Set(segments.map(({ traceId }) => traceId))]
  const found = new Set<string>()
  for (const ids of chunksOf(traceIds)) {
    for (const projectId of projectIds) {
      for (const row of findErrors.all(projectId, ...ids)) {
        const traceId = row['trace_id']
        if (traceId instanceof Uint8Array) found.add(fromIdBytes(traceId))
      }
    }
  }
  return found
}

/** Remembers the names of root spans, and returns those that are new. */
function noteNames(
  { countNames, addName }: Statements,
  { projectId, segments, now }: { projectId: number; segments: readonly ChosenSegment[]; now: number },
): Set<string> {
  const names = new Set(segments.flatMap(({ isRoot, name }) => (isRoot ? [name] : [])))
  let knownCount = Number(countNames.get(projectId)?.['name_count'])
  const added = new Set<string>()
  for (const name of names) {
    if (knownCount >= limits.traceNamesPerProject) break
    if (Number(addName.run(projectId, name, now).changes) === 0) continue
    knownCount += 1
    added.add(name)
  }
  return added
}

/** Ids as bytes, as many for each statement as it has places: the last one is repeated. */
function chunksOf(traceIds: readonly string[]): Uint8Array[][] {
  const chunks: Uint8Array[][] = []
  for (let at = 0; at < traceIds.length; at += idsPerStatement) {
    const ids = traceIds.slice(at, at + idsPerStatement)
    const last = ids.at(-1) ?? ''
    chunks.push(Array.from({ length: idsPerStatement }, (_, index) => toIdBytes(ids[index] ?? last)))
  }
  return chunks
}
