import { Field } from '#components/ui/form/field.tsx'

/** Who is responsible for a monitor. */
export function OwnerField({ owner }: { owner?: string | undefined }) {
  return (
    <Field
      label="Owner"
      name="owner"
      maxLength={200}
      placeholder="ada@example.com"
      defaultValue={owner}
      autoCapitalize="none"
      hint="The address or name of a user, who is assigned its issues. May be empty."
    />
  )
}
