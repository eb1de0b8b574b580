import type { ReactNode } from 'react'

/** The texts of a field next to its control. */
export interface FieldTexts {
  label: string
  hint?: ReactNode
}

/** The ids by which a control refers to its texts. */
interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface FieldFrameProps {
  id: string
  texts: FieldTexts
  /** The errors of the entered value, one line each. */
  problem: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** A labelled control with its error, or else its hint. */
export function FieldFrame({ id, texts: { label, hint }, problem, children }: FieldFrameProps) {
  // An error says what is valid, too, and replaces the hint.
  const describedBy = problem !== undefined ? `${id}-problem` : hint !== undefined ? `${id}-hint` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': describedBy,
      })}
      {problem === undefined ? null : (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint === undefined || problem !== undefined ? null : (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  )
}
