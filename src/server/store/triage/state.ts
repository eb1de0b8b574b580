import * as v from 'valibot'
import { toIssueStatus } from '#server/store/issues/row.ts'
import { archiveCondition, parseReopenCondition, releaseCondition } from './reopen-condition.ts'
import type { ReopenCondition } from './reopen-condition.ts'

const everyState = {
  statusChangedAt: v.nullable(v.number()),
  assigneeId: v.nullable(v.string()),
  /** The release of the event that last reopened the issue. */
  regressedRelease: v.nullable(v.string()),
}

const issueState = v.variant('status', [
  v.object({
    status: v.literal('unresolved'),
    /** True if an event reopened the issue after it was resolved. */
    isRegressed: v.boolean(),
    ...everyState,
  }),
  v.object({ status: v.literal('resolved'), condition: v.nullable(releaseCondition), ...everyState }),
  v.object({ status: v.literal('archived'), condition: v.nullable(archiveCondition), ...everyState }),
])

/** The columns of an issue that users and the reopening rules change; `lifecycle.ts` has the rules. */
export type IssueState = v.InferOutput<typeof issueState>

const readColumns = [
  'status',
  'status_changed_at',
  'is_regressed',
  'regressed_release',
  'assignee_id',
  'reopen_condition',
] as const

/** The columns of the state of an issue `i`. */
export const issueStateColumns = readColumns.map((name) => `i.${name}` as const)

/** The columns of `fromIssueState`. */
export const writtenStateColumns = [...readColumns, 'archived_until_at'] as const

/** The state in a row of `issueStateColumns`. */
export function toIssueState(row: { readonly [Name in (typeof readColumns)[number]]?: unknown }): IssueState {
  const every = {
    statusChangedAt: numberOrNull(row.status_changed_at),
    assigneeId: textOrNull(row.assignee_id),
    regressedRelease: textOrNull(row.regressed_release),
  }
  const condition = parseReopenCondition(row.reopen_condition)
  const status = toIssueStatus(String(row.status))
  switch (status) {
    case 'unresolved':
      return { status, isRegressed: row.is_regressed === 1, ...every }
    case 'resolved':
      return { status, condition: condition && condition.kind !== 'archive' ? condition : null, ...every }
    case 'archived':
  }
  return { status, condition: condition?.kind === 'archive' ? condition : null, ...every }
}

/** The columns of a state; `archived_until_at` repeats the condition's time for an index. */
export function fromIssueState(state: IssueState) {
  const condition = conditionOf(state)
  return {
    status: state.status,
    status_changed_at: state.statusChangedAt,
    is_regressed: state.status === 'unresolved' && state.isRegressed ? 1 : 0,
    regressed_release: state.regressedRelease,
    assignee_id: state.assigneeId,
    reopen_condition: condition === null ? null : JSON.stringify(condition),
    archived_until_at: condition?.kind === 'archive' ? (condition.untilAt ?? null) : null,
  }
}

/** The reopen condition, in addition to the rule of its status; null if there is none. */
export function conditionOf(state: IssueState): ReopenCondition | null {
  return state.status === 'unresolved' ? null : state.condition
}

/** The states before and after a change, as stored in its activity. */
export const stateChange = v.object({ before: issueState, after: issueState })

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
