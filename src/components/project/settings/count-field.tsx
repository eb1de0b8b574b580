import { Field } from '#components/ui/form/field.tsx'
import { exactCount } from '#numbers/number-text.ts'

interface CountFieldProps {
  label: string
  name: string
  hint: string
  current: number
}

/** A whole number. */
export function CountField({ label, name, hint, current }: CountFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      size={12}
      autoComplete="off"
      required
      hint={hint}
      defaultValue={exactCount(current)}
    />
  )
}
