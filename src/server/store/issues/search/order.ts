import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import type { IssueSort } from '#server/store/issues/records.ts'
import {
  createCursorCodec,
  cursorNumber,
  isBeyond,
  readDirection,
  type CursorCodec,
} from '#server/store/keyset-page.ts'

const sortColumns = {
  last_seen: 'issues.last_seen_at',
  first_seen: 'issues.first_seen_at',
  events: 'issues.event_count',
  users: 'issues.user_count',
  trend: 'issues.trend',
} as const satisfies Record<IssueSort, string>

const issuePosition = v.object({
  /** The sort value of the issue: an instant or a count. */
  value: cursorNumber,
  /** Orders issues with the same value. */
  issueId: cursorNumber,
})

/** The position of an issue in an order. */
export type IssuePosition = v.InferOutput<typeof issuePosition>

const cursorsOf = {
  last_seen: createCursorCodec('issues-last_seen', issuePosition),
  first_seen: createCursorCodec('issues-first_seen', issuePosition),
  events: createCursorCodec('issues-events', issuePosition),
  users: createCursorCodec('issues-users', issuePosition),
  trend: createCursorCodec('issues-trend', issuePosition),
} as const satisfies Record<IssueSort, CursorCodec<IssuePosition>>

/** The cursors of issues in an order. */
export function issueCursors(sort: IssueSort): CursorCodec<IssuePosition> {
  return cursorsOf[sort]
}

/** A found issue. */
export interface FoundIssue extends IssuePosition {
  status: string
}

/** The order in which issues are read: largest first, or reversed for the page before a cursor. */
export interface IssueOrder {
  isBackwards: boolean
  column: RawBuilder<number>
  /** The ORDER BY clause. */
  orderBy: RawBuilder<unknown>
  /** True for an issue after the position. */
  isBehind: (position: IssuePosition) => RawBuilder<boolean>
  /** True for an issue before the position. */
  isBefore: (position: IssuePosition) => RawBuilder<boolean>
  /** Negative if the first position precedes the second. */
  compare: (one: IssuePosition, other: IssuePosition) => number
  /** The position directly before the given one. */
  before: (position: IssuePosition) => IssuePosition
}

/** The order by a column and then by id, in one direction. */
export function createOrder(sort: IssueSort, isBackwards: boolean): IssueOrder {
  const column = sql.ref<number>(sortColumns[sort])
  const direction = readDirection(isBackwards ? 'before' : 'after')
  const columns = [column, sql.ref('issues.id')]
  const beyond = (side: 'after' | 'before') => (position: IssuePosition) =>
    isBeyond(side, columns, [position.value, position.issueId])
  return {
    isBackwards,
    column,
    orderBy: sql`order by ${column} ${direction}, issues.id ${direction}`,
    isBehind: beyond(isBackwards ? 'before' : 'after'),
    isBefore: beyond(isBackwards ? 'after' : 'before'),
    compare: (one, other) => {
      const difference = other.value - one.value || other.issueId - one.issueId
      return isBackwards ? -difference : difference
    },
    before: ({ value, issueId }) => ({
      value,
      issueId: isBackwards ? Math.max(0, issueId - 1) : issueId + 1,
    }),
  }
}
