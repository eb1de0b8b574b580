import type { ReactNode } from 'react'
import { useField } from './field-state.ts'

/** Boxes with one name, of which any number is ticked. `id` is unique on the page. */
export function CheckGroup({
  id,
  name,
  label,
  choices,
  ticked,
}: {
  id: string
  name: string
  label: string
  choices: readonly { value: string; label: ReactNode }[]
  ticked: readonly string[]
}) {
  const { problem, isTicked } = useField(name)
  return (
    <fieldset className="field" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>{label}</legend>
      {choices.map(({ value, label: text }) => (
        <div key={value} className="check-field">
          <input
            id={`${id}-${value}`}
            name={name}
            type="checkbox"
            value={value}
            aria-invalid={problem === undefined ? undefined : true}
            defaultChecked={isTicked(ticked.includes(value), value)}
          />
          <label htmlFor={`${id}-${value}`}>{text}</label>
        </div>
      ))}
      {problem === undefined ? null : (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
