import { Field } from '#components/ui/form/field.tsx'

/** A whole number of a monitor's settings; the schema of the settings has its bounds. */
export function WholeNumberField(given: { label: string; name: string; value: number; hint: string }) {
  const { value, ...field } = given
  return <Field {...field} inputMode="numeric" required maxLength={5} defaultValue={String(value)} />
}
