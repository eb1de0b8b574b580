import type { ReactNode } from 'react'
import { useField } from './field-state.ts'

interface CheckFieldProps {
  name: string
  /** Distinguishes boxes with the same name. */
  value?: string
  label: ReactNode
  hint?: ReactNode
  isOn: boolean
  /** Shown next to the name: a count. */
  children?: ReactNode
}

/** Something that is on or off; sent as `value`, or not at all. */
export function CheckField({ name, value = 'on', label, hint, isOn, children }: CheckFieldProps) {
  const { isTicked } = useField(name)
  const id = value === 'on' ? `check-${name}` : `check-${name}-${value}`
  return (
    <div className="check-field">
      <input
        id={id}
        name={name}
        type="checkbox"
        value={value}
        defaultChecked={isTicked(isOn, value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      {children === undefined ? null : <div className="check-field-side">{children}</div>}
      {hint === undefined ? null : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
