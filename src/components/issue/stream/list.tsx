import { useEffect, useRef } from 'react'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import type { Person } from '#server/store/issues/records.ts'
import { IssueBulkBar, type IssueBulkActions } from './bulk-bar.tsx'
import { RowActions, type IssueRowActions } from './row-actions.tsx'
import { defaultIssueStatus } from './search.ts'
import { IssueTable, type IssueTableProps } from './table.tsx'
import { useRowSelection } from './use-row-selection.ts'

/** The actions of the stream: for one row, and for the selected rows. */
export interface IssueListActions {
  row: IssueRowActions
  bulk: IssueBulkActions
}

/** The stream, with the actions for one issue and for the selected issues. */
export function IssueList({
  actions: { row, bulk },
  people,
  ...list
}: IssueTableProps & {
  actions: IssueListActions
  people: readonly Person[]
}) {
  const { list: element, onClick, tick, ...selection } = useRowSelection()
  const posted = useRef<readonly string[]>([])
  const failureCount = Object.values<FormAction>({ ...bulk }).reduce(
    (sum, each) => sum + each.failureCount,
    0,
  )
  // Issues that were not changed are selected again, to be retried.
  useEffect(() => {
    if (failureCount > 0) tick(posted.current)
  }, [failureCount, tick])
  const status = list.search.status ?? defaultIssueStatus
  const shownStatus = status === 'all' ? undefined : status
  return (
    // The clicks come from its checkboxes, by pointer or keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className="issue-list" ref={element} onClick={onClick}>
      <IssueBulkBar
        actions={bulk}
        people={people}
        shownStatus={shownStatus}
        selection={selection}
        onSubmitted={(issueIds) => {
          posted.current = issueIds
          selection.setAll(false)
        }}
      />
      <IssueTable {...list} isSelectable />
      <RowActions actions={row} shownStatus={shownStatus} />
    </div>
  )
}
