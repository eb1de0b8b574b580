import type { InputHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'

/** A labelled text field, with what is wrong with it and what it is for. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: FieldTexts & InputHTMLAttributes<HTMLInputElement> & { name: string }) {
  return (
    <FieldFrame id={input.id ?? `field-${input.name}`} texts={{ label, hint, problem }}>
      {(control) => <input {...input} {...control} />}
    </FieldFrame>
  )
}
