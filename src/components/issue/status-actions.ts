import type { IssueStatus } from '#server/store/issues/records.ts'

interface StatusAction {
  status: IssueStatus
  verb: string
  shortcut?: string
}

const statusActions: readonly StatusAction[] = [
  { status: 'resolved', verb: 'Resolve', shortcut: 'resolve' },
  { status: 'archived', verb: 'Archive', shortcut: 'archive' },
  { status: 'unresolved', verb: 'Reopen' },
]

/** The actions for issues that all have `status`; all actions if they differ. */
export function listStatusActions(status: IssueStatus | undefined): StatusAction[] {
  return statusActions.filter((action) => action.status !== status)
}
