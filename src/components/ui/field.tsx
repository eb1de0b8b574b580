import type { InputHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
import { useField } from './form-fields.ts'

/** A labelled text field of a form. It shows `defaultValue`, or what was entered where the form came back. */
export function Field({
  label,
  hint,
  defaultValue = '',
  ...input
}: FieldTexts &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'defaultValue'> & { name: string; defaultValue?: string }) {
  const { problem, text } = useField(input.name)
  // Passwords are never sent back to the page.
  const shown = input.type === 'password' ? undefined : text(defaultValue)
  return (
    <FieldFrame id={input.id ?? `field-${input.name}`} texts={{ label, hint }} problem={problem}>
      {(control) => <input {...input} {...control} defaultValue={shown} />}
    </FieldFrame>
  )
}
