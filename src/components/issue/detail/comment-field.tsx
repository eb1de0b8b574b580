import { useRef } from 'react'
import type { Person } from '#server/store/issues/records.ts'
import { appConfig } from '../../../../app.config.ts'
import { MentionSuggestions } from './mention-suggestions.tsx'

/** The text of a comment, with suggestions of members to mention. */
export function CommentField({
  people,
  rows,
  defaultValue,
  placeholder,
}: {
  people: readonly Person[]
  rows: number
  defaultValue?: string
  placeholder?: string
}) {
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
      />
      <MentionSuggestions field={field} people={people} />
    </div>
  )
}
