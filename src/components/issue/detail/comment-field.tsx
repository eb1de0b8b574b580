import { type KeyboardEvent, useRef } from 'react'
import type { Person } from '#server/store/issues/records.ts'
import { appConfig } from '../../../../app.config.ts'
import { MentionSuggestions } from './mention-suggestions.tsx'

interface CommentFieldProps {
  people: readonly Person[]
  rows: number
  defaultValue?: string
  placeholder?: string
  onText?: (text: string) => void
}

/** The text of a comment, with suggestions of members to mention. ⌘Enter or Ctrl+Enter submits its form. */
export function CommentField({ people, rows, defaultValue, placeholder, onText }: CommentFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="comment-entry">
      <textarea
        ref={field}
        name="text"
        className="comment-field"
        aria-label="Comment"
        placeholder={placeholder}
        rows={rows}
        required
        maxLength={appConfig.commentCharacters}
        defaultValue={defaultValue}
        onInput={({ currentTarget }) => onText?.(currentTarget.value)}
        onKeyDown={submitOnKey}
      />
      <MentionSuggestions field={field} people={people} />
    </div>
  )
}

function submitOnKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const isMeant = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing
  if (!isMeant || event.repeat) return
  event.preventDefault()
  const { form } = event.currentTarget
  form?.requestSubmit(form.querySelector<HTMLButtonElement>('button[type="submit"]'))
}
