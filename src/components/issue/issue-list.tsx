import { useEffect, useRef } from 'react'
import type { IssueListRow } from '#server/store/issue-list-views.ts'
import type { BarSpan, Person } from '#server/store/issue-views.ts'
import { IssueBulkBar, type IssueBulkActions } from './issue-bulk-bar.tsx'
import { defaultIssueStatus, type IssueSearch } from './issue-search.ts'
import { IssueTable } from './issue-table.tsx'
import { useRowSelection } from './use-row-selection.ts'

/** The stream with what can be done with several of its issues at once. */
export function IssueList({
  issues,
  search,
  actions,
  people,
  bars,
}: {
  issues: readonly IssueListRow[]
  search: IssueSearch
  actions: IssueBulkActions
  people: readonly Person[]
  bars: BarSpan
}) {
  const { list, onClick, ...selection } = useRowSelection()
  useEndOf(
    Object.values(actions).some(({ isPending }) => isPending),
    () => {
      const hasFailed = Object.values(actions).some(({ failure }) => failure !== undefined)
      if (!hasFailed) selection.setAll(false)
    },
  )
  const status = search.status ?? defaultIssueStatus
  return (
    // The boxes in it are what is clicked, by pointer and keyboard alike.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className="issue-list" ref={list} onClick={onClick}>
      <IssueBulkBar
        actions={actions}
        people={people}
        shownStatus={status === 'all' ? undefined : status}
        selection={selection}
      />
      <IssueTable issues={issues} search={search} bars={bars} isSelectable />
    </div>
  )
}

/** Calls it when what was under way has ended. */
function useEndOf(isUnderWay: boolean, onEnd: () => void): void {
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) onEnd()
    wasUnderWay.current = isUnderWay
  })
}
