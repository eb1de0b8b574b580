import { listStatusActions } from '#components/issue/status-actions.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'

interface TriageButtonsProps {
  /** The status of all rows; absent if they differ. */
  shownStatus: IssueStatus | undefined
  /** The action that assigns. The form's own action changes the status. */
  assigneeUrl: string
  tabIndex?: -1
}

/** The buttons of a form that change the status of issues, and assign them to the user. */
export function TriageButtons({ shownStatus, assigneeUrl, tabIndex }: TriageButtonsProps) {
  return (
    <>
      {listStatusActions(shownStatus).map(({ status, verb, shortcut }) => (
        <button
          key={status}
          type="submit"
          className="button"
          name="status"
          value={status}
          tabIndex={tabIndex}
          data-shortcut={shortcut}
        >
          {verb}
        </button>
      ))}
      <button
        type="submit"
        className="button"
        name="assignee"
        value="me"
        formAction={assigneeUrl}
        tabIndex={tabIndex}
        data-does="assign"
        data-shortcut="assign"
      >
        Assign to me
      </button>
    </>
  )
}
