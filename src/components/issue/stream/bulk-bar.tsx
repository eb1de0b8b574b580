import { lazy, Suspense, type SubmitEvent } from 'react'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { exactCount } from '#numbers/number-text.ts'
import type { IssueStatus, Person } from '#server/store/issues/records.ts'
import { TriageButtons } from './triage-buttons.tsx'
import type { RowSelection } from './use-row-selection.ts'

/** Not visible before a row is selected. */
const BulkAssignMenu = lazy(async () => ({ default: (await import('./bulk-menus.tsx')).BulkAssignMenu }))
const BulkDeleteMenu = lazy(async () => ({ default: (await import('./bulk-menus.tsx')).BulkDeleteMenu }))

/** The form to which the checkboxes of the rows belong. */
export const bulkFormId = 'issue-bulk'

/** The actions for the selected issues. */
export interface IssueBulkActions {
  status: FormAction
  assignee: FormAction
  merge: FormAction
  /** Absent without the permission. */
  delete?: FormAction
}

/** The action of a button, from `data-does`; by default the status action. */
function actionOf(button: HTMLElement | null, actions: IssueBulkActions): FormAction {
  const byName = { assign: actions.assignee, merge: actions.merge, delete: actions.delete }
  const found = Object.entries(byName).find(([name]) => name === button?.dataset['does'])
  return found?.[1] ?? actions.status
}

interface IssueBulkBarProps {
  actions: IssueBulkActions
  people: readonly Person[]
  /** The status of all rows; absent if they differ. */
  shownStatus: IssueStatus | undefined
  selection: Pick<RowSelection, 'count' | 'isAll' | 'setAll'>
  /** Called with the issues of the submitted rows. */
  onSubmitted: (issueIds: readonly string[]) => void
}

/**
 * Replaces the list's header while any row is selected, controlled by CSS. Its buttons submit the selected
 * rows, with or without JavaScript.
 */
export function IssueBulkBar({
  actions,
  people,
  shownStatus,
  selection: { count, isAll, setAll },
  onSubmitted,
}: IssueBulkBarProps) {
  const isPending = Object.values<FormAction>({ ...actions }).some((action) => action.isPending)

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const issueIds = new FormData(event.currentTarget).getAll('issueIds').map(String)
    if (issueIds.length === 0) {
      event.preventDefault()
      return
    }
    actionOf(event.nativeEvent.submitter, actions).onSubmit(event)
    onSubmitted(issueIds)
  }

  return (
    <form
      id={bulkFormId}
      className="bulk-bar"
      method="post"
      action={actions.status.url}
      aria-label="Selected issues"
      aria-busy={isPending}
      onSubmit={submit}
    >
      <SelectAll count={count} isAll={isAll} setAll={setAll} />
      <div className="bulk-bar-actions">
        {/* Without JavaScript there is no count. */}
        <p role="status">{count === 0 ? 'Selected:' : `${exactCount(count)} selected`}</p>
        <button
          type="reset"
          className="icon-button"
          aria-label="Clear selection"
          onClick={() => setAll(false)}
        >
          <Icon name="x" />
        </button>
        <TriageButtons shownStatus={shownStatus} assigneeUrl={actions.assignee.url} />
        <Suspense>
          <BulkAssignMenu people={people} url={actions.assignee.url} />
        </Suspense>
        {count === 1 ? null : (
          <button type="submit" className="button" formAction={actions.merge.url} data-does="merge">
            Merge
          </button>
        )}
        {actions.delete === undefined ? null : (
          <Suspense>
            <BulkDeleteMenu url={actions.delete.url} />
          </Suspense>
        )}
      </div>
    </form>
  )
}

/** Selects every row of the page; requires JavaScript, and reserves its space until then. */
function SelectAll({ count, isAll, setAll }: Pick<RowSelection, 'count' | 'isAll' | 'setAll'>) {
  const isHydrated = useHydrated()
  return (
    <label className="select-box" hidden={!isHydrated}>
      <input
        type="checkbox"
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !isAll
        }}
        onChange={({ currentTarget }) => setAll(currentTarget.checked)}
      />
      <span className="visually-hidden">Select all</span>
    </label>
  )
}
