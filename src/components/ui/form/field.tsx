import type { InputHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
import { useField } from './field-state.ts'

/** A labelled text field of a form. It shows `defaultValue`, or the entered value after a rejection. */
export function Field({
  label,
  hint,
  defaultValue = '',
  isFocused = false,
  ...input
}: FieldTexts &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'defaultValue'> & {
    name: string
    defaultValue?: string
    /** The first field of a page that is nothing but its form: it has the focus when the page opens. */
    isFocused?: boolean
  }) {
  const { problem, text } = useField(input.name)
  // Passwords are never sent back to the page.
  const shown = input.type === 'password' ? undefined : text(defaultValue)
  return (
    <FieldFrame id={input.id ?? `field-${input.name}`} texts={{ label, hint }} problem={problem}>
      {(control) => (
        // No content that a reader would miss precedes the form.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        <input {...input} {...control} defaultValue={shown} autoFocus={isFocused} />
      )}
    </FieldFrame>
  )
}
