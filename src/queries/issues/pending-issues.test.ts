import { describe, expect, it } from 'vitest'
import type { IssueListView } from '#server/console/issues/views.ts'
import type { IssueListRow } from '#server/store/issues/records.ts'
import { hasMoved, mergeReloadedList, type MergeOptions, type ShownIssueList } from './pending-issues.ts'

/** An issue of project 1 with that number, last seen then. */
function row(number: number, lastSeenAt: number, change: Partial<IssueListRow> = {}): IssueListRow {
  return {
    id: `id-${number}`,
    shortId: `WEB-${number.toString(36).toUpperCase()}`,
    project: { id: 1, slug: 'web', name: 'Web' },
    lastSeenAt,
    bars: [],
    ...change,
  } as unknown as IssueListRow
}

function list(issues: IssueListRow[], change: Partial<IssueListView> = {}): IssueListView {
  const lastNumber = Math.max(0, ...issues.map(({ shortId }) => Number.parseInt(shortId.slice(4), 36)))
  return { now: 1_000, issues, marks: { 1: { lastNumber, reopenedCount: 0 } }, ...change } as IssueListView
}

const options: MergeOptions = { sort: 'last_seen', isOwn: () => false }
const hold = (shown: ShownIssueList, fresh: IssueListView, change: Partial<MergeOptions> = {}) =>
  mergeReloadedList(shown, fresh, { ...options, ...change })
const ids = ({ issues }: ShownIssueList) => issues.map(({ id }) => id).join(' ')

describe('a displayed list that is reloaded', () => {
  const shown = list([row(3, 300), row(2, 200), row(1, 100)])

  it('hides new issues and keeps the positions of the others', () => {
    const fresh = list([row(4, 500), row(1, 400), row(3, 300), row(2, 200)])
    const merged = hold(shown, fresh)
    expect(ids(merged)).toBe('id-3 id-2 id-1')
    expect(merged.issues[2]?.lastSeenAt).toBe(400)
    expect(merged.pending).toMatchObject({ count: 1, isMore: false })
    expect(merged.pending?.latest).toBe(fresh)
  })

  it('counts issues that appeared since the list was opened, not since the last reload', () => {
    const once = hold(shown, list([row(4, 500), row(3, 300), row(2, 200), row(1, 100)]))
    const twice = hold(once, list([row(5, 600), row(4, 500), row(3, 300), row(2, 200), row(1, 100)]))
    expect([ids(twice), twice.pending?.count]).toEqual(['id-3 id-2 id-1', 2])
  })

  it('hides an issue that was closed when the list was opened and is open again', () => {
    const fresh = list([row(3, 300), row(2, 200), row(1, 100)])
    const before = list([row(3, 300), row(1, 100)], { marks: fresh.marks })
    const regressed = row(2, 200, { statusChangedAt: 1_500 })
    const merged = hold(before, list([row(3, 300), regressed, row(1, 100)]))
    expect([ids(merged), merged.pending?.count]).toEqual(['id-3 id-1', 1])
  })

  it('shows an issue that this user changed at its position in the server list', () => {
    const before = list([row(3, 300), row(1, 100)])
    const undone = list([row(3, 300), row(2, 200, { statusChangedAt: 1_500 }), row(1, 100)])
    expect(ids(hold(before, undone, { isOwn: (id) => id === 'id-2' }))).toBe('id-3 id-2 id-1')
  })

  it('removes rows that left the page and adds the rows that follow', () => {
    const before = list([row(9, 900), row(8, 800)], { nextCursor: 'a' })
    const after = hold(before, list([row(9, 900), row(7, 700)], { nextCursor: 'b', marks: before.marks }))
    expect([ids(after), after.pending, after.nextCursor]).toEqual(['id-9 id-7', undefined, 'b'])
  })

  it('keeps rows that new ones have moved off the page, and the next page starts after them', () => {
    const before = list([row(3, 300), row(2, 200)], { nextCursor: 'behind 2' })
    const fresh = list([row(5, 500), row(4, 400)], { nextCursor: 'behind 4' })
    const merged = hold(before, fresh)
    expect([ids(merged), merged.nextCursor]).toEqual(['id-3 id-2', 'behind 2'])
    expect(merged.pending).toMatchObject({ count: 2, isMore: true })
  })

  it('equals the server list when no row was shown', () => {
    const fresh = list([row(1, 100)])
    expect(hold(list([]), fresh)).toBe(fresh)
  })
})

describe('marks', () => {
  it('differ when a project of the list has new or reopened issues', () => {
    const shown = { marks: { 1: { lastNumber: 3, reopenedCount: 1 } } }
    const moved = (projectId: number, lastNumber: number, reopenedCount: number) =>
      hasMoved(shown, { [projectId]: { lastNumber, reopenedCount } })
    expect([moved(1, 3, 1), moved(1, 4, 1), moved(1, 3, 2), moved(2, 9, 9)]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})
