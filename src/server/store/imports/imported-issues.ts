import { sql } from 'kysely'
import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import { toQuery } from '#server/store/engine/per-engine.ts'
import { formatShortId } from '#server/store/issues/id.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startSystemAction, writeActivity } from '#server/store/triage/activity.ts'
import { selectIssues } from '#server/store/triage/changed-issues.ts'
import type { IssueState } from '#server/store/triage/state.ts'
import { writeTransitionIn } from '#server/store/triage/transition-writer.ts'
import type { ComparedIssue, ImportedIssueRecord } from './records.ts'

/** The group hashes of a project's imported issues, by their ids in the other tracker. */
export async function listImportedHashes(db: Db, projectId: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('imported_issues')
    .select(['source_id', 'hash'])
    .where('project_id', '=', projectId)
    .execute()
  return new Map(rows.map((row) => [row.source_id, fromIdBytes(row.hash)]))
}

/** New issues of a project get numbers above this one, so that imported ones can keep theirs. */
export async function reserveIssueNumbers(store: Store, projectId: number, highest: number): Promise<void> {
  await store.writer
    .updateTable('projects')
    .set({ last_issue_number: highest })
    .where('id', '=', projectId)
    .where('last_issue_number', '<', highest)
    .execute()
}

/**
 * Maps further group hashes to the issue of the first one, because the other tracker has their events in one
 * issue. Hashes that already belong to an issue are not changed.
 */
export async function joinHashes(
  store: Store,
  {
    projectId,
    hash,
    others,
  }: { projectId: number; hash: string; others: readonly { hash: string; mechanism: string }[] },
): Promise<void> {
  await store.writer.transaction().execute(async (tx) => {
    const issueId = await findIssueId(tx, projectId, hash)
    if (issueId === undefined || others.length === 0) return
    const rows = others.map((other) => ({
      project_id: projectId,
      hash: toIdBytes(other.hash),
      mechanism: other.mechanism,
      issue_id: issueId,
    }))
    await tx
      .insertInto('issue_hashes')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/**
 * Writes the other tracker's data to an issue: number, times, counts, status, assignee and comments, in one
 * transaction and only once. Returns false if there is no such issue here because its events are discarded.
 */
export function recordImportedIssue(store: Store, record: ImportedIssueRecord): Promise<boolean> {
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    const { projectId, hash } = record
    const issueId = await findIssueId(tx, projectId, hash)
    if (issueId === undefined) return false
    await updateIssue(tx, { issueId, at }, record)
    await setState(tx, issueId, { ...record, at })
    await renumber(tx, issueId, record)
    for (const { at: writtenAt, text, userId } of record.comments) {
      const action = { ...startSystemAction(writtenAt), userId }
      await writeActivity(tx, action, { projectId, issueId, kind: 'comment', detail: { text } })
    }
    await writeComparison(tx, { issueId, at }, record)
    return true
  })
}

/** Compares the counts of an imported issue again, and changes nothing else. */
export function recordComparison(
  store: Store,
  record: Omit<ImportedIssueRecord, 'comments' | 'status' | 'importedCount'>,
): Promise<void> {
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    const issueId = await findIssueId(tx, record.projectId, record.hash)
    if (issueId !== undefined) await writeComparison(tx, { issueId, at }, record)
  })
}

async function findIssueId(tx: Tx, projectId: number, hash: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('issue_hashes as h')
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'h.project_id').onRef('i.id', '=', 'h.issue_id'),
    )
    .select('i.id')
    .where('h.project_id', '=', projectId)
    .where('h.hash', '=', toIdBytes(hash))
    .executeTakeFirst()
  return row?.id
}

const addToIssueText = `UPDATE issues SET
    event_count = event_count + ?,
    expired_event_count = expired_event_count + ?,
    first_seen_at = CASE WHEN first_seen_at > ? THEN ? ELSE first_seen_at END,
    last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END
  WHERE project_id = ? AND id = ?`

const setNumberText = 'UPDATE issues SET number = ? WHERE project_id = ? AND id = ?'

async function updateIssue(
  tx: Tx,
  { issueId, at }: { issueId: number; at: number },
  { projectId, sourceCount, importedCount, firstSeenAt = at, lastSeenAt = 0 }: ImportedIssueRecord,
): Promise<void> {
  // Events that were not imported count as expired.
  const missing = Math.max(0, sourceCount - importedCount)
  const latest = Math.min(lastSeenAt, at)
  const values = [missing, missing, firstSeenAt, firstSeenAt, latest, latest, projectId, issueId]
  await toQuery(addToIssueText, values).execute(tx)
}

/** Without an activity entry, because the change happened in the other tracker. */
async function setState(
  tx: Tx,
  issueId: number,
  { projectId, status, assigneeId, at }: ImportedIssueRecord & { at: number },
): Promise<void> {
  const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds: [projectId] })
  if (issue === undefined) return
  const { state: before } = issue
  const every = { ...before, assigneeId: assigneeId ?? before.assigneeId }
  const after: IssueState =
    status === 'unresolved' ? every : { ...every, status, condition: null, statusChangedAt: at }
  const target = { projectId, issueId, isPart: false }
  await writeTransitionIn(tx, { target, transition: { before, after }, action: startSystemAction(at) })
}

/** Keeps the issue's short id, unless another issue has its number. */
async function renumber(tx: Tx, issueId: number, { projectId, shortId }: ImportedIssueRecord): Promise<void> {
  const number = parseIssueNumber(shortId)
  if (number === undefined) return
  for (const table of ['issues', 'issue_parts'] as const) {
    const taken = await tx
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', projectId)
      .where('number', '=', number)
      .executeTakeFirst()
    if (taken !== undefined) return
  }
  await toQuery(setNumberText, [number, projectId, issueId]).execute(tx)
}

/** The number that gives an issue this short id here; undefined if no number does. */
export function parseIssueNumber(shortId: string): number | undefined {
  const [, digits = ''] = /-([0-9a-z]{1,6})$/i.exec(shortId) ?? []
  const number = Number.parseInt(digits, 36)
  return number > 0 && !digits.startsWith('0') ? number : undefined
}

async function writeComparison(
  tx: Tx,
  { issueId, at }: { issueId: number; at: number },
  {
    projectId,
    sourceId,
    hash,
    shortId,
    title,
    url,
    sourceCount,
  }: Omit<ImportedIssueRecord, 'comments' | 'status' | 'importedCount'>,
): Promise<void> {
  const issue = await tx
    .selectFrom('issues')
    .select('event_count')
    .where('project_id', '=', projectId)
    .where('id', '=', issueId)
    .executeTakeFirstOrThrow()
  const counts = { source_count: sourceCount, own_count: issue.event_count, compared_at: at }
  await tx
    .insertInto('imported_issues')
    .values({
      project_id: projectId,
      source_id: sourceId,
      hash: toIdBytes(hash),
      short_id: shortId,
      title,
      url,
      ...counts,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'source_id']).doUpdateSet(counts))
    .execute()
}

/**
 * The imported issues with their counts, largest difference first. Several issues of the other tracker that
 * are one issue here are one row with the sum of their counts.
 */
export async function listComparedIssues(
  db: Db,
  { projectIds, limit }: { projectIds: readonly number[]; limit: number },
): Promise<ComparedIssue[]> {
  if (projectIds.length === 0) return []
  const difference = sql<number>`abs(sum(m.source_count) - max(m.own_count))`
  const rows = await db
    .selectFrom('imported_issues as m')
    .innerJoin('issue_hashes as h', (join) =>
      join.onRef('h.project_id', '=', 'm.project_id').onRef('h.hash', '=', 'm.hash'),
    )
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'h.project_id').onRef('i.id', '=', 'h.issue_id'),
    )
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(['p.slug', 'i.id', 'i.title', 'i.number'])
    .select((of) => [
      of.fn.min<string>('m.short_id').as('short_id'),
      of.fn.min<string>('m.url').as('url'),
      of.fn.sum<number>('m.source_count').as('source_count'),
      of.fn.max<number>('m.own_count').as('own_count'),
      of.fn.max<number>('m.compared_at').as('compared_at'),
    ])
    .where('m.project_id', 'in', projectIds)
    .groupBy(['p.slug', 'i.id', 'i.title', 'i.number'])
    .orderBy(difference, 'desc')
    .orderBy('i.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    projectSlug: row.slug,
    issueId: String(row.id),
    title: row.title,
    shortId: formatShortId(row.slug, row.number),
    sourceShortId: row.short_id,
    sourceUrl: row.url,
    sourceCount: row.source_count,
    ownCount: row.own_count,
    comparedAt: row.compared_at,
  }))
}
