import { type MouseEvent, useEffect, useRef } from 'react'
import { ActionForm } from '#components/ui/form/action-form.tsx'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import type { Person } from '#server/store/issues/records.ts'
import { keepDraft, readDraft } from './comment-draft.ts'
import { CommentField } from './comment-field.tsx'

interface CommentFormProps {
  issueId: string
  /** Who can be mentioned. */
  people: readonly Person[]
  action: FormAction
}

/**
 * The form of a new comment. Its text stays until it is posted, also when that fails or the page is left;
 * then the field is empty and keeps the focus for the next comment.
 */
export function NewComment({ issueId, people, action, viewerId }: CommentFormProps & { viewerId: string }) {
  const element = useRef<HTMLDivElement>(null)
  const draft = `comment ${viewerId} ${issueId}`
  useEffect(() => {
    const field = element.current?.querySelector('textarea')
    if (field?.value === '') field.value = readDraft(draft)
  }, [draft])

  function clear(posted: FormData): void {
    const field = element.current?.querySelector('textarea')
    // Text that was typed in the meantime stays.
    if (field == null || field.value !== posted.get('text')) return
    field.value = ''
    field.dispatchEvent(new Event('input', { bubbles: true }))
    if (isFocusNear(element.current)) field.focus()
  }

  return (
    <div className="new-comment" ref={element}>
      <ActionForm action={action} label="Comment" onDone={clear}>
        <input type="hidden" name="issueId" value={issueId} />
        <CommentField
          people={people}
          rows={3}
          placeholder="Add a comment (Markdown, @name mentions)"
          onText={(text) => keepDraft(draft, text)}
        />
        <button type="submit" className="button">
          Comment
        </button>
      </ActionForm>
    </div>
  )
}

/** Changing and deleting an own comment. Afterwards the focus is at what remains of it. */
export function CommentTools({
  issueId,
  commentId,
  text,
  people,
  action,
}: CommentFormProps & { commentId: string; text: string }) {
  const element = useRef<HTMLDivElement>(null)
  const hidden = (
    <>
      <input type="hidden" name="issueId" value={issueId} />
      <input type="hidden" name="commentId" value={commentId} />
    </>
  )
  return (
    <div className="comment-tools" ref={element}>
      <details name={commentId}>
        <summary>Edit</summary>
        <ActionForm action={action} label="Edit comment" onDone={() => close(element.current)}>
          {hidden}
          <CommentField key={text} people={people} rows={4} defaultValue={text} />
          <button type="submit" className="button" name="does" value="save">
            Save
          </button>
          <CancelButton />
        </ActionForm>
      </details>
      <details name={commentId}>
        <summary>Delete…</summary>
        <ActionForm action={action} label="Delete comment" onDone={() => leave(element.current)}>
          {hidden}
          <p className="comment-warning">A deleted comment can’t be restored.</p>
          <button type="submit" className="button" data-tone="danger" name="does" value="delete">
            Delete comment
          </button>
          <CancelButton />
        </ActionForm>
      </details>
    </div>
  )
}

/** Restores the text, and closes the form where scripts run. */
function CancelButton() {
  return (
    <button type="reset" className="button" data-tone="plain" onClick={cancel}>
      Cancel
    </button>
  )
}

function cancel({ currentTarget }: MouseEvent): void {
  closeDetails(currentTarget.closest('details'))
}

/** Closes the open form of a comment. */
function close(tools: HTMLElement | null): void {
  closeDetails(tools?.querySelector('details[open]'))
}

/** The focus that was in it is at what opens it. */
function closeDetails(details: HTMLDetailsElement | null | undefined): void {
  if (details == null) return
  const isNear = isFocusNear(details)
  details.open = false
  if (isNear) details.querySelector('summary')?.focus()
}

/** Moves the focus from a deleted comment to the next entry, else to the one before it. */
function leave(tools: HTMLElement | null): void {
  const entry = tools?.closest('li')
  const next = entry?.nextElementSibling ?? entry?.previousElementSibling
  const target =
    next?.querySelector<HTMLElement>('a[href]') ?? document.querySelector('.new-comment textarea')
  if (isFocusNear(tools) && target instanceof HTMLElement) target.focus()
}

/** The focus is in it, or nowhere. A focus that the user has moved on stays. */
function isFocusNear(element: Element | null): boolean {
  const { activeElement, body } = document
  return activeElement === body || element?.contains(activeElement) === true
}
