import { Field } from '#components/ui/form/field.tsx'

/** The owner of a monitor. */
export function OwnerField({ owner }: { owner?: string | undefined }) {
  return (
    <Field
      label="Owner"
      name="owner"
      maxLength={200}
      placeholder="ada@example.com"
      defaultValue={owner}
      autoCapitalize="none"
      hint="Email address or name of the user to whom its issues are assigned. Optional."
    />
  )
}
