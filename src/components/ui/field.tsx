import type { InputHTMLAttributes } from 'react'

/** A labelled text field, with what is wrong with it and what it is for. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: {
  label: string
  hint?: string
  problem?: string | undefined
} & InputHTMLAttributes<HTMLInputElement> & { name: string }) {
  const id = input.id ?? `field-${input.name}`
  // A problem says what is right, too: it takes the place of the hint.
  const describedBy = problem !== undefined ? `${id}-problem` : hint !== undefined ? `${id}-hint` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={describedBy}
      />
      {problem === undefined ? null : (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint === undefined || problem !== undefined ? null : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
