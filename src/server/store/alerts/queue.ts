import * as v from 'valibot'
import { alertNotice, type AlertNotice } from '#alerts/notice.ts'
import { alertTransitions, type AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import type { ProjectFailures } from '#server/store/project-failures.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { createActivityId } from '#server/store/triage/activity.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'
import { toOwnershipSubject } from '#source-links/owners/ownership-rules.ts'

/** The cause of a transition: an event or a user, or neither if time passed. */
const cause = v.object({
  release: v.optional(v.string()),
  tags: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  /** The path of the top in-app frame. */
  path: v.optional(v.string()),
  /** The paths of in-app frames, nearest first, which determine owners. Absent without an event. */
  paths: v.optional(v.array(v.string())),
  modules: v.optional(v.array(v.string()), []),
  /** The user. */
  by: v.optional(v.string()),
  /** Users mentioned in the comment. */
  mentionedIds: v.optional(v.array(v.string())),
  /** The rule whose threshold was crossed. */
  ruleId: v.optional(v.string()),
  /** The notice of a project's transition. */
  notice: v.optional(alertNotice),
})

/** The issue id of a project's transition. */
export const noIssueId = 0

/** A transition of an issue or a project. `at` in Unix milliseconds. */
export interface QueuedTransition {
  projectId: number
  /** `noIssueId` if there is a notice. */
  issueId: number
  kind: AlertTransition
  at: number
  cause?: TransitionCause
}

export type TransitionCause = v.InferInput<typeof cause>

/** The cause of a transition by an event. */
export function toEventCause({ release, tags, traits }: EventRecord): TransitionCause {
  const { paths, modules } = toOwnershipSubject(traits ?? '', tags ?? [])
  return { release, tags, path: paths[0], paths: [...paths], modules: [...modules] }
}

/** Queues a transition, with `toQueueValues`. Run it in the transaction that changes the issue. */
export const queueTransitionText = `INSERT INTO alert_transitions (project_id, id, issue_id, kind, at, detail)
  VALUES (?, ?, ?, ?, ?, ?)`

/** The values of `queueTransitionText`. */
export function toQueueValues({
  projectId,
  issueId,
  kind,
  at,
  cause: causedBy = {},
}: QueuedTransition): SqlInput[] {
  return [projectId, createActivityId(at), issueId, kind, at, JSON.stringify(causedBy)]
}

/** Queues transitions that no batch of ingest causes. Call inside a transaction. */
export async function queueTransitions(tx: Tx, transitions: readonly QueuedTransition[]): Promise<void> {
  if (transitions.length === 0) return
  const rows = transitions.map(({ projectId, issueId, kind, at, cause: causedBy = {} }) => ({
    project_id: projectId,
    id: createActivityId(at),
    issue_id: issueId,
    kind,
    at,
    detail: JSON.stringify(causedBy),
  }))
  await tx.insertInto('alert_transitions').values(rows).execute()
}

/** Parses a column `notice`; undefined for a value that this version does not know. */
export function parseNotice(text: string | null): AlertNotice | undefined {
  if (text === null) return undefined
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), alertNotice), text)
  return success ? output : undefined
}

/** A transition that no rule has decided about. */
export interface WaitingTransition {
  organizationId: number
  projectId: number
  id: string
  issueId: number
  kind: AlertTransition
  /** Unix milliseconds. */
  at: number
  cause: KnownCause
}

/** The queued cause of a transition. */
export type KnownCause = v.InferOutput<typeof cause>

const transitionKind = v.picklist(alertTransitions)
const causeText = v.pipe(v.string(), v.parseJson(), cause)

/** Queued transitions; `unreadable`: those that this version cannot read. */
export interface WaitingTransitions {
  waiting: WaitingTransition[]
  unreadable: Pick<WaitingTransition, 'projectId' | 'id'>[]
}

/** The oldest queued transitions, by project, without those of projects that have failed. One statement. */
export async function listWaitingTransitions(
  db: Db,
  { limit, failures: { projectIds: failedIds } }: { limit: number; failures: ProjectFailures },
): Promise<WaitingTransitions> {
  const rows = await db
    .selectFrom('alert_transitions as t')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .select(['t.project_id', 't.id', 't.issue_id', 't.kind', 't.at', 't.detail', 'p.organization_id'])
    .$if(failedIds.length > 0, (of) => of.where('t.project_id', 'not in', failedIds))
    .orderBy('t.project_id')
    .orderBy('t.id')
    .limit(limit)
    .execute()
  const unreadable: WaitingTransitions['unreadable'] = []
  const waiting = rows.flatMap(({ id, at, detail, kind: name, ...row }): WaitingTransition[] => {
    const projectId = row.project_id
    const of = { table: 'alert_transitions', id }
    const [kind, known] = [parseColumn(transitionKind, name, of), parseColumn(causeText, detail, of)]
    if (kind === undefined || known === undefined) {
      unreadable.push({ projectId, id })
      return []
    }
    const { organization_id: organizationId, issue_id: issueId } = row
    return [{ organizationId, projectId, id, issueId, kind, at, cause: known }]
  })
  return { waiting, unreadable }
}

/** Removes transitions of a project from the queue. Returns the ids of those that were still in it. */
export async function takeTransitions(
  tx: Tx,
  { projectId, ids }: { projectId: number; ids: readonly string[] },
): Promise<Set<string>> {
  // One statement: if two processes delete the same row, it is returned to only one of them.
  const rows = await tx
    .deleteFrom('alert_transitions')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .returning('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Drops the oldest transitions of a project beyond `limits.alertTransitionsKept`, in short transactions.
 * Returns their number.
 */
export async function dropOldTransitions({ db, writer }: Store, projectId: number): Promise<number> {
  const newestDropped = await db
    .selectFrom('alert_transitions')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .offset(limits.alertTransitionsKept)
    .limit(1)
    .executeTakeFirst()
  if (newestDropped === undefined) return 0
  let count = 0
  for (;;) {
    const { numDeletedRows } = await writer
      .deleteFrom('alert_transitions')
      .where('project_id', '=', projectId)
      .where('id', 'in', (rows) =>
        rows
          .selectFrom('alert_transitions')
          .select('id')
          .where('project_id', '=', projectId)
          .where('id', '<=', newestDropped.id)
          .orderBy('id')
          .limit(limits.alertTransitionsDroppedAtOnce),
      )
      .executeTakeFirst()
    if (numDeletedRows === 0n) return count
    count += Number(numDeletedRows)
  }
}
