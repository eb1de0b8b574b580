import { sql, type RawBuilder } from 'kysely'
import type { IssueSort } from '#server/store/issues/views.ts'
import type { IssueCursor } from './cursor.ts'

const sortColumns = {
  last_seen: 'issues.last_seen_at',
  first_seen: 'issues.first_seen_at',
  events: 'issues.event_count',
  users: 'issues.user_count',
  trend: 'issues.trend',
} as const satisfies Record<IssueSort, string>

/** The position of an issue in an order. */
export type IssuePosition = Pick<IssueCursor, 'value' | 'issueId'>

/** A found issue. */
export interface FoundIssue extends IssuePosition {
  status: string
}

/** An order of issues, as it is read: largest first, or backwards for the page before a cursor. */
export interface IssueOrder {
  isBackwards: boolean
  column: RawBuilder<number>
  /** The clause. */
  orderBy: RawBuilder<unknown>
  /** True for an issue that is read after the position. */
  isBehind: (position: IssuePosition) => RawBuilder<boolean>
  /** True for an issue that is read before the position. */
  isBefore: (position: IssuePosition) => RawBuilder<boolean>
  /** Less than 0 where the first of two positions is read first. */
  compare: (one: IssuePosition, other: IssuePosition) => number
  /** The position whose next one is the given one. */
  before: (position: IssuePosition) => IssuePosition
}

/** The order by a column and then by id, in one direction. */
export function createOrder(sort: IssueSort, isBackwards: boolean): IssueOrder {
  const column = sql.ref<number>(sortColumns[sort])
  const direction = isBackwards ? sql`asc` : sql`desc`
  const compared = (sign: RawBuilder<unknown>, { value, issueId }: IssuePosition) =>
    sql<boolean>`(${column}, issues.id) ${sign} (${value}, ${issueId})`
  return {
    isBackwards,
    column,
    orderBy: sql`order by ${column} ${direction}, issues.id ${direction}`,
    isBehind: (position) => compared(isBackwards ? sql`>` : sql`<`, position),
    isBefore: (position) => compared(isBackwards ? sql`<` : sql`>`, position),
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
