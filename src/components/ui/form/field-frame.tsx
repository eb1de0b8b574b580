import type { ReactNode } from 'react'

/** The texts of a field next to its control. */
export interface FieldTexts {
  label: string
  hint?: ReactNode
}

/** What a control needs to point at its texts. */
interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** A labelled control with what is wrong with it, or else what it is for. */
export function FieldFrame({
  id,
  texts: { label, hint },
  problem,
  children,
}: {
  id: string
  texts: FieldTexts
  /** What is wrong with what was entered, one line each. */
  problem: string | undefined
  children: (control: ControlProps) => ReactNode
}) {
  // A problem says what is right, too: it takes the place of the hint.
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
