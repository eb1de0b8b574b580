import { Field } from '#components/ui/form/field.tsx'
import { exactCount } from '#numbers/number-text.ts'

interface CountFieldProps {
  label: string
  name: string
  hint?: string
  /** The default, which the hint names. */
  preset: number
  current: number
}

/** A whole number. */
export function CountField({ label, name, hint = '', preset, current }: CountFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      size={12}
      autoComplete="off"
      required
      hint={`${hint} Default: ${exactCount(preset)}`.trim()}
      defaultValue={exactCount(current)}
    />
  )
}
