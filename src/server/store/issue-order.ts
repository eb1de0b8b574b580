import { sql, type RawBuilder } from 'kysely'
import type { IssueCursor } from './issue-cursor.ts'
import type { SortedFilter } from './issue-filter.ts'
import type { IssueSort } from './issue-views.ts'

const sortColumns = {
  last_seen: 'last_seen_at',
  first_seen: 'first_seen_at',
  events: 'event_count',
  users: 'user_count',
  trend: 'trend',
} as const satisfies Record<IssueSort, string>

/** What of an order is read. */
export interface PageRange {
  query: SortedFilter & { limit: number }
  cursor: IssueCursor | undefined
}

/** Where an issue stands in an order. */
export type IssuePlace = Pick<IssueCursor, 'value' | 'issueId'>

/** What a cursor names so that its pages begin with the issue at the place, and not with the one behind it. */
export function including({ value, issueId }: IssuePlace, side: IssueCursor['side']): IssuePlace {
  return { value, issueId: side === 'after' ? issueId + 1 : Math.max(0, issueId - 1) }
}

/** How a page of an order is read: largest first, or backwards for the page before a cursor. */
export function orderOf(sort: IssueSort, cursor: IssueCursor | undefined) {
  const isBackwards = cursor?.side === 'before'
  const columnName = sortColumns[sort]
  const column = sql.ref(`issues.${columnName}`)
  const direction = isBackwards ? ('asc' as const) : ('desc' as const)
  return {
    isBackwards,
    columnName,
    column,
    direction,
    orderBy: sql`order by ${column} ${sql.raw(direction)}, issues.id ${sql.raw(direction)}`,
    /** True for an issue that is read after the place. */
    beyond: ({ value, issueId }: IssuePlace): RawBuilder<boolean> =>
      sql`(${column}, issues.id) ${isBackwards ? sql`>` : sql`<`} (${value}, ${issueId})`,
    /** True for a place that is read before the end. */
    isBeforeEnd: (end: IssuePlace, { value, issueId }: IssuePlace): boolean => {
      const difference = value - end.value || issueId - end.issueId
      return isBackwards ? difference < 0 : difference > 0
    },
  }
}
