import * as v from 'valibot'
import { issueStatuses } from '#server/store/issues/records.ts'
import { toIssueStatus } from '#server/store/issues/row.ts'
import { formatIssueTerms, parseIssueTerms, untilAtOf } from './terms.ts'

/** What people set of an issue: what an action changes, and what taking it back restores. */
export type IssueState = v.InferOutput<typeof issueState>

const issueState = v.object({
  status: v.picklist(issueStatuses),
  /** As its column has it. */
  terms: v.nullable(v.string()),
  statusChangedAt: v.nullable(v.number()),
  isRegressed: v.boolean(),
  assigneeId: v.nullable(v.string()),
})

/** The columns of an issue that make its state. */
export const issueStateColumns = [
  'i.status',
  'i.terms',
  'i.status_changed_at',
  'i.is_regressed',
  'i.assignee_id',
] as const

interface IssueStateRow {
  status: string
  terms: string | null
  status_changed_at: number | null
  is_regressed: number
  assignee_id: string | null
}

/** A row of `issueStateColumns`. */
export function toIssueState(row: IssueStateRow): IssueState {
  return {
    status: toIssueStatus(row.status),
    terms: row.terms,
    statusChangedAt: row.status_changed_at,
    isRegressed: row.is_regressed === 1,
    assigneeId: row.assignee_id,
  }
}

/** The columns that a state is written as. */
export function fromIssueState({ status, terms, statusChangedAt, isRegressed, assigneeId }: IssueState) {
  return {
    status,
    terms: formatIssueTerms(parseIssueTerms(terms)),
    archived_until_at: untilAtOf(parseIssueTerms(terms)),
    status_changed_at: statusChangedAt,
    is_regressed: isRegressed ? 1 : 0,
    assignee_id: assigneeId,
  }
}

/** True when nobody could tell one from the other. What an hour has counted so far is no difference. */
export function isSameState(one: IssueState, other: IssueState): boolean {
  return (
    one.status === other.status &&
    one.statusChangedAt === other.statusChangedAt &&
    one.isRegressed === other.isRegressed &&
    one.assigneeId === other.assigneeId
  )
}

/** Reads a state out of an activity's detail. */
export function parseIssueState(value: unknown): IssueState | undefined {
  const { success, output } = v.safeParse(issueState, value)
  return success ? output : undefined
}
