import { Field } from '#components/ui/form/field.tsx'

/** The fields of a new account: name, email address, password. `isFirst`: no fields precede them. */
export function AccountFields({ email = '', isFirst = false }: { email?: string; isFirst?: boolean }) {
  return (
    <>
      <Field label="Name" name="name" autoComplete="name" required maxLength={100} isFocused={isFirst} />
      <EmailField email={email} />
      <NewPasswordField />
    </>
  )
}

/** The field for the email address of an account. */
export function EmailField({ email = '', isFirst = false }: { email?: string; isFirst?: boolean }) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      required
      maxLength={254}
      defaultValue={email}
      isFocused={isFirst}
    />
  )
}

/** The field for a new password. */
export function NewPasswordField() {
  return (
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      required
      minLength={10}
      maxLength={256}
      hint="At least 10 characters. A passphrase works well."
    />
  )
}
