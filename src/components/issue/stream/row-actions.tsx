import { type SubmitEvent, useEffect, useRef } from 'react'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import type { IssueStatus } from '#server/store/issues/records.ts'
import { TriageButtons } from './triage-buttons.tsx'

/** The actions of one row. */
export interface IssueRowActions {
  status: FormAction
  assignee: FormAction
}

/** A resting pointer does not select a row, even if rows move under it. */
function isMoving({ pointerType, movementX, movementY }: PointerEvent): boolean {
  return pointerType === 'mouse' && (movementX !== 0 || movementY !== 0)
}

/**
 * Buttons over the end of the row under the pointer. Shortcuts use them as well: a `row-actions` event of a
 * row moves them there first. They act on one row, independent of the selected rows. The target is set
 * without React, because it must be set before the next key.
 */
export function RowActions({
  actions,
  shownStatus,
}: {
  actions: IssueRowActions
  /** The status of all rows; absent if they differ. */
  shownStatus: IssueStatus | undefined
}) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.current !== null) followRows(form.current)
  }, [])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const isAssigning = event.nativeEvent.submitter?.getAttribute('name') === 'assignee'
    ;(isAssigning ? actions.assignee : actions.status).onSubmit(event)
    event.currentTarget.hidden = true
  }

  return (
    <form
      ref={form}
      className="row-actions"
      hidden
      data-row-actions
      method="post"
      action={actions.status.url}
      onSubmit={submit}
    >
      <input type="hidden" name="issueIds" />
      <TriageButtons shownStatus={shownStatus} assigneeUrl={actions.assignee.url} tabIndex={-1} />
    </form>
  )
}

/** Moves the form to the row under the pointer, or to the row that requests it, until both are removed. */
function followRows(form: HTMLFormElement): void {
  const list = form.parentElement
  const field = form.elements.namedItem('issueIds')
  const hide = () => (form.hidden = true)

  function attach(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest('tbody tr') : null
    const box = row?.querySelector<HTMLInputElement>('input[name="issueIds"]')
    if (!row || !box || !list || !(field instanceof HTMLInputElement)) return
    const { top, height } = row.getBoundingClientRect()
    form.style.insetBlockStart = `${top - list.getBoundingClientRect().top}px`
    form.style.blockSize = `${height}px`
    form.ariaLabel = box.ariaLabel?.replace('Select', 'Actions for') ?? ''
    field.value = box.value
    form.hidden = false
  }

  list?.addEventListener('row-actions', ({ target }) => attach(target))
  list?.addEventListener('pointermove', (event) => {
    if (isMoving(event)) attach(event.target)
  })
  list?.addEventListener('pointerleave', hide)
  // The focus stays on the row of the cursor.
  form.addEventListener('mousedown', (event) => event.preventDefault())
  // When rows are added or removed, another one may be below the form.
  const rows = list?.querySelector('tbody')
  if (rows) new MutationObserver(hide).observe(rows, { childList: true })
}
