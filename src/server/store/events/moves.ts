import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'
import { createPartStatements, type PartStatements } from '#server/store/triage/part-statements.ts'

/**
 * How events are moved when issues are merged and unmerged. A merge or an unmerge changes hashes and counts
 * in one transaction, and records there whose events have to be moved; further, short transactions move
 * these, so that no commit of ingest waits for them. Moves that a killed process has left are completed
 * before the next merge, and before retention runs.
 */

/** The settings key that records whose events have to be moved; absent if none have to. */
const movesKey = 'event_moves'

/** How the events to move are found: by the issue's former id, or by the part they belong to. */
export type EventsBy = 'issue' | 'part'

const moves = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(
    v.object({ projectId: v.number(), ids: v.array(v.number()), by: v.picklist(['issue', 'part'] as const) }),
  ),
)

type Moves = v.InferOutput<typeof moves>

/**
 * Records that the events of issues that have become parts, and of parts that have become issues, have to be
 * moved, and moves the first of them. Call inside the transaction that changes the hashes; `changeWithEvents`
 * moves the rest.
 */
export function startEventMoves(
  statements: PartStatements,
  { projectId, ids, by }: { projectId: number; ids: readonly number[]; by: EventsBy },
): void {
  if (ids.length === 0) return
  writeMoves(statements, [...readMoves(statements), { projectId, ids: [...ids], by }])
  moveSomeEvents(statements)
}

/** Runs a merge, unmerge or deletion of issues, one at a time; all events are moved before and after it. */
export async function changeWithEvents<Result>(store: Store, work: () => Promise<Result>): Promise<Result> {
  await store.mergeLock.acquire()
  try {
    await finishEventMoves(store)
    const result = await work()
    await finishEventMoves(store)
    return result
  } finally {
    store.mergeLock.release()
  }
}

/** Resolves when no merge is running in this process: all events have been moved. */
export async function whenEventsMoved({ mergeLock }: Pick<Store, 'mergeLock'>): Promise<void> {
  await mergeLock.acquire()
  mergeLock.release()
}

/** SQL for the issue of event `e`, even while the event is being moved. For reads of few events. */
export const issueOfEvent = sql<number>`coalesce(
  (select m.issue_id from issue_parts m where m.project_id = e.project_id and m.id = e.issue_id), e.issue_id)`

async function finishEventMoves(store: Store): Promise<void> {
  const statements = createPartStatements(store)
  while (hasMoves(store)) {
    await store.writer.transaction().execute(() => Promise.resolve(moveSomeEvents(statements)))
    // Events that arrived meanwhile are committed first.
    await nextTick()
  }
}

function hasMoves({ connection }: Store): boolean {
  return connection.prepare('SELECT 1 FROM settings WHERE key = ?').get(movesKey) !== undefined
}

/** Moves at most `limits.eventsMovedAtOnce` events, and records what is left. */
function moveSomeEvents(statements: PartStatements): void {
  let room: number = limits.eventsMovedAtOnce
  const left: Moves = []
  for (const { projectId, ids, by } of readMoves(statements)) {
    const rest = ids.filter((id) => {
      if (room > 0) room -= moveEventsOf(statements, by, { projectId, id, limit: room })
      return room <= 0
    })
    if (rest.length > 0) left.push({ projectId, ids: rest, by })
  }
  writeMoves(statements, left)
}

interface MovedEvents {
  projectId: number
  id: number
  limit: number
}

/** Moves some events of one id. Returns their number. */
function moveEventsOf(statements: PartStatements, by: EventsBy, moved: MovedEvents): number {
  const { projectId, id } = moved
  const [part] =
    statements.all`SELECT issue_id FROM issue_parts WHERE project_id = ${projectId} AND id = ${id}`
  if (by === 'issue') return part === undefined ? 0 : moveFromFormerIssue(statements, moved)
  if (part === undefined) return moveToOwnIssue(statements, moved)
  return moveWithPart(statements, { ...moved, intoId: Number(part['issue_id']) })
}

/** The newest first, as users look at those. Events of a part of the former issue move with that part. */
function moveFromFormerIssue({ change }: PartStatements, { projectId, id, limit }: MovedEvents): number {
  return change`UPDATE events SET part_id = coalesce(part_id, issue_id), issue_id = (SELECT p.issue_id FROM issue_parts p
      WHERE p.project_id = events.project_id AND p.id IN (events.part_id, events.issue_id)
      ORDER BY p.id = events.issue_id LIMIT 1)
    WHERE project_id = ${projectId} AND event_id IN (
      SELECT event_id FROM events WHERE project_id = ${projectId} AND issue_id = ${id}
      ORDER BY occurred_at DESC, event_id DESC LIMIT ${limit})`
}

/** A part that moved to another issue, as when a merge is undone. */
function moveWithPart(
  { change }: PartStatements,
  { projectId, id, limit, intoId }: MovedEvents & { intoId: number },
): number {
  return change`UPDATE events SET issue_id = ${intoId} WHERE project_id = ${projectId} AND event_id IN (
    SELECT event_id FROM events
    WHERE project_id = ${projectId} AND part_id = ${id} AND issue_id <> ${intoId} LIMIT ${limit})`
}

function moveToOwnIssue({ change }: PartStatements, { projectId, id, limit }: MovedEvents): number {
  return change`UPDATE events SET issue_id = part_id, part_id = NULL WHERE project_id = ${projectId} AND event_id IN (
    SELECT event_id FROM events WHERE project_id = ${projectId} AND part_id = ${id} LIMIT ${limit})`
}

function readMoves({ all }: PartStatements): Moves {
  const [row] = all`SELECT value FROM settings WHERE key = ${movesKey}`
  return row === undefined ? [] : v.parse(moves, row['value'])
}

function writeMoves({ run }: PartStatements, left: Moves): void {
  if (left.length === 0) run`DELETE FROM settings WHERE key = ${movesKey}`
  else
    run`INSERT INTO settings (key, value) VALUES (${movesKey}, ${JSON.stringify(left)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`
}
