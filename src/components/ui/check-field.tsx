import type { ReactNode } from 'react'

/** Something that is on or off; sent as `on`, or not at all. */
export function CheckField({
  name,
  label,
  hint,
  isOn,
  children,
}: {
  name: string
  label: ReactNode
  hint?: ReactNode
  isOn: boolean
  /** Stands beside the name: a count. */
  children?: ReactNode
}) {
  const id = `check-${name}`
  return (
    <div className="check-field">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={isOn}
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
