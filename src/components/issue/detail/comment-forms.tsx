import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import type { Person } from '#server/store/issues/records.ts'
import { keepDraft, readDraft } from './comment-draft.ts'
import { CommentField } from './comment-field.tsx'

interface CommentFormProps {
  issueId: string
  /** The members who can be mentioned. */
  people: readonly Person[]
  action: FormAction
}

/**
 * The form of a new comment. Its text is kept until it is posted, even after a failure or when the user
 * leaves the page. Then the field is emptied and keeps the focus for the next comment.
 */
export function NewComment({ issueId, people, action, viewerId }: CommentFormProps & { viewerId: string }) {
  const element = useRef<HTMLDivElement>(null)
  const draft = draftName(issueId, viewerId)
  useEffect(() => {
    const field = element.current?.querySelector('textarea')
    if (field?.value === '') field.value = readDraft(draft)
  }, [draft])

  function clear(posted: FormData): void {
    const field = element.current?.querySelector('textarea')
    // Text that was typed in the meantime remains.
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

function draftName(issueId: string, viewerId: string): string {
  return `comment ${viewerId} ${issueId}`
}

/** The draft of a comment on a removed issue, so that its text can be copied. Only in the browser. */
export function UnpostedComment({ issueId, viewerId }: { issueId: string; viewerId: string }) {
  const [text] = useState(() => readDraft(draftName(issueId, viewerId)))
  return text === '' ? null : <Unsaved label="Your comment was not posted" text={text} />
}

/** A text that cannot be saved any more, to be copied. */
function Unsaved({ label, text }: { label: string; text: string }) {
  return (
    <label className="unposted-comment">
      {label}
      <textarea className="comment-field" rows={3} readOnly value={text} />
    </label>
  )
}

interface CommentToolsProps extends CommentFormProps {
  commentId: string
  text: string
  /** The issue was removed while the page was open: only an unsaved edit remains. */
  isRemoved: boolean
}

/** Edits and deletes the user's own comment. Afterwards the focus is on the remaining element. */
export function CommentTools({ issueId, commentId, text, people, action, isRemoved }: CommentToolsProps) {
  const element = useRef<HTMLDivElement>(null)
  const [edit, setEdit] = useState<string>()
  const hidden = (
    <>
      <input type="hidden" name="issueId" value={issueId} />
      <input type="hidden" name="commentId" value={commentId} />
    </>
  )
  function finish(): void {
    setEdit(undefined)
    close(element.current)
  }

  if (isRemoved)
    return edit === undefined || edit === text ? null : (
      <Unsaved label="Your edit was not saved" text={edit} />
    )
  return (
    <div className="comment-tools" ref={element}>
      <details name={commentId}>
        <summary>Edit</summary>
        <ActionForm action={action} label="Edit comment" onDone={finish}>
          {hidden}
          <CommentField key={text} people={people} rows={4} defaultValue={text} onText={setEdit} />
          <button type="submit" className="button" name="does" value="save">
            Save
          </button>
          <CancelButton onCancel={() => setEdit(undefined)} />
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

/** Restores the text, and closes the form with JavaScript. */
function CancelButton({ onCancel }: { onCancel?: () => void }) {
  function cancel({ currentTarget }: MouseEvent): void {
    onCancel?.()
    closeDetails(currentTarget.closest('details'))
  }
  return (
    <button type="reset" className="button" data-tone="plain" onClick={cancel}>
      Cancel
    </button>
  )
}

/** Closes the open form of a comment. */
function close(tools: HTMLElement | null): void {
  closeDetails(tools?.querySelector('details[open]'))
}

/** Moves a focus within it to its summary. */
function closeDetails(details: HTMLDetailsElement | null | undefined): void {
  if (details == null) return
  const isNear = isFocusNear(details)
  details.open = false
  if (isNear) details.querySelector('summary')?.focus()
}

/** Moves the focus from a deleted comment to the next entry, else to the previous one. */
function leave(tools: HTMLElement | null): void {
  const entry = tools?.closest('li')
  const next = entry?.nextElementSibling ?? entry?.previousElementSibling
  const target =
    next?.querySelector<HTMLElement>('a[href]') ?? document.querySelector('.new-comment textarea')
  if (isFocusNear(tools) && target instanceof HTMLElement) target.focus()
}

/** True if the focus is within it or on no element. A focus that the user has moved is kept. */
function isFocusNear(element: Element | null): boolean {
  const { activeElement, body } = document
  return activeElement === body || element?.contains(activeElement) === true
}
