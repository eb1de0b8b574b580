import type { SelectHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
import { useField } from './field-state.ts'

/** An option: the sent value, and the shown text. */
export interface Choice {
  value: string
  label: string
}

/** A labelled choice of one out of several. */
export function SelectField({
  label,
  hint,
  choices,
  defaultValue = '',
  ...select
}: FieldTexts &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'defaultValue'> & {
    name: string
    choices: readonly Choice[]
    defaultValue?: string
  }) {
  const { problem, text } = useField(select.name)
  return (
    <FieldFrame id={select.id ?? `field-${select.name}`} texts={{ label, hint }} problem={problem}>
      {(control) => (
        <select {...select} {...control} defaultValue={text(defaultValue)}>
          {choices.map(({ value, label: name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
