import type { TextareaHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
import { useField } from './field-state.ts'

/** A labelled field of several lines, each of which is one entry. */
export function TextAreaField({
  label,
  hint,
  defaultValue = '',
  ...area
}: FieldTexts &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'defaultValue'> & {
    name: string
    defaultValue?: string
  }) {
  const { problem, text } = useField(area.name)
  return (
    <FieldFrame id={area.id ?? `field-${area.name}`} texts={{ label, hint }} problem={problem}>
      {(control) => (
        <textarea
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          {...area}
          {...control}
          defaultValue={text(defaultValue)}
        />
      )}
    </FieldFrame>
  )
}
