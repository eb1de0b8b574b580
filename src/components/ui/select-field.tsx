import type { SelectHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'

/** Something to choose: what is sent, and what is shown. */
export interface Choice {
  value: string
  label: string
}

/** A labelled choice of one out of several. */
export function SelectField({
  label,
  hint,
  problem,
  choices,
  ...select
}: FieldTexts & SelectHTMLAttributes<HTMLSelectElement> & { name: string; choices: readonly Choice[] }) {
  return (
    <FieldFrame id={select.id ?? `field-${select.name}`} texts={{ label, hint, problem }}>
      {(control) => (
        <select {...select} {...control}>
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
