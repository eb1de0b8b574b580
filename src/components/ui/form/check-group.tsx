import type { ReactNode } from 'react'
import { useField } from './field-state.ts'

interface CheckGroupProps {
  id: string
  name: string
  label: string
  choices: readonly { value: string; label: ReactNode }[]
  ticked: readonly string[]
}

/** Boxes with one name, of which any number is ticked. `id` is unique on the page. */
export function CheckGroup({ id, name, label, choices, ticked }: CheckGroupProps) {
  const { problem, isTicked } = useField(name)
  return (
    <fieldset
      className="project-choice"
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
    >
      <legend>{label}</legend>
      {choices.map(({ value, label: text }) => (
        <label key={value}>
          <input
            type="checkbox"
            name={name}
            value={value}
            aria-invalid={problem === undefined ? undefined : true}
            defaultChecked={isTicked(ticked.includes(value), value)}
          />{' '}
          {text}
        </label>
      ))}
      {problem === undefined ? null : (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
