import type { AlertTransition } from '#alerts/transition.ts'
import { queueTransitionText, toQueueValues, type TransitionCause } from '#server/store/alerts/queue.ts'
import type { SetPreparer, SqlInput, WriteStatement } from '#server/store/engine/connection.ts'
import { toQuery } from '#server/store/engine/per-engine.ts'
import type { Tx } from '#server/store/schema/database.ts'
import { toActivityRow, type TriageAction } from './activity.ts'
import type { LifecycleActivity, Transition } from './lifecycle.ts'
import { fromIssueState, writtenStateColumns } from './state.ts'

/** The issue of a transition, or a part of one. A part has no activity. */
export interface TransitionTarget {
  projectId: number
  issueId: number
  isPart: boolean
}

const activityColumns = [
  'project_id',
  'issue_id',
  'id',
  'action_id',
  'at',
  'user_id',
  'kind',
  'detail',
] as const

const setState = (table: 'issues' | 'issue_parts') =>
  `UPDATE ${table} SET ${writtenStateColumns.map((name) => `${name} = ?`).join(', ')} WHERE project_id = ? AND id = ?`

const texts = {
  setIssueState: setState('issues'),
  setPartState: setState('issue_parts'),
  insertActivity: `INSERT INTO issue_activity (${activityColumns.join(', ')})
    VALUES (${activityColumns.map(() => '?').join(', ')})`,
  queueAlert: queueTransitionText,
  countReopened: 'UPDATE projects SET reopened_count = reopened_count + 1 WHERE id = ?',
}

type StatementName = keyof typeof texts

/** The statements of `writeTransition`, prepared on the writer's connection. */
export type TransitionStatements = Record<StatementName, WriteStatement>

/** Prepares the statements of `writeTransition`. */
export function prepareTransitionStatements({ engine }: { engine: SetPreparer }): TransitionStatements {
  return {
    setIssueState: engine.prepareWrite(texts.setIssueState),
    setPartState: engine.prepareWrite(texts.setPartState),
    insertActivity: engine.prepareWrite(texts.insertActivity),
    queueAlert: engine.prepareWrite(texts.queueAlert),
    countReopened: engine.prepareWrite(texts.countReopened),
  }
}

/** A transition to write, and the action that causes it. */
export interface TransitionWrite {
  target: TransitionTarget
  transition: Transition
  action: TriageAction
  /** Absent if the cause is the action's user, or time. */
  cause?: TransitionCause
}

/** Writes the state and its activity. Call inside the transaction of a batch. */
export function writeTransition(statements: TransitionStatements, write: TransitionWrite): void {
  for (const [name, values] of listWrites(write)) statements[name].run(...values)
}

/** Writes the state and its activity. Call inside the transaction of an action. */
export async function writeTransitionIn(tx: Tx, write: TransitionWrite): Promise<void> {
  for (const [name, values] of listWrites(write)) await toQuery(texts[name], values).execute(tx)
}

function listWrites({ target, transition, action, cause }: TransitionWrite): [StatementName, SqlInput[]][] {
  const { projectId, issueId, isPart } = target
  const { activity, after } = transition
  const state = fromIssueState(after)
  const writes: [StatementName, SqlInput[]][] = [
    [
      isPart ? 'setPartState' : 'setIssueState',
      [...writtenStateColumns.map((name) => state[name]), projectId, issueId],
    ],
  ]
  if (activity === undefined || isPart) return writes
  if (action.userId === null) writes.push(['countReopened', [projectId]])
  const entry = { projectId, issueId, kind: activity.kind, detail: detailOf(transition, activity) }
  const row = toActivityRow(action, entry)
  writes.push(['insertActivity', activityColumns.map((name) => row[name])])
  const kind = toAlertTransition(transition, activity)
  if (kind !== undefined) {
    const by = action.userId ?? undefined
    writes.push([
      'queueAlert',
      toQueueValues({ projectId, issueId, kind, at: action.at, cause: cause ?? { by } }),
    ])
  }
  return writes
}

/** The alert transition of a change; undefined if a user closes an issue. */
function toAlertTransition({ after }: Transition, activity: LifecycleActivity): AlertTransition | undefined {
  switch (activity.kind) {
    case 'regressed':
      return 'regressed'
    case 'reopened':
      return activity.reason === 'escalation' ? 'escalated' : 'unarchived'
    case 'assigned':
      return after.assigneeId === null ? undefined : 'assigned'
    case 'status':
      return activity.isRecovery ? 'recovered' : undefined
    case 'undone':
  }
  return undefined
}

/** A user's change can be undone, so its activity contains both states. */
function detailOf({ before, after }: Transition, { kind, ...detail }: LifecycleActivity): object {
  return kind === 'regressed' || kind === 'reopened' ? detail : { before, after, ...detail }
}
