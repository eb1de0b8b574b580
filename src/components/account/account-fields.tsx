import { Field } from '#components/ui/field.tsx'
import type { FormState } from '#server/auth/views.ts'
import { problemOf } from './page-form.tsx'

/** What a new account needs: name, address, password. */
export function AccountFields({ form }: { form: FormState | undefined }) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        required
        maxLength={100}
        defaultValue={form?.values['name']}
        problem={problemOf(form, 'name')}
      />
      <Field
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={form?.values['email']}
        problem={problemOf(form, 'email')}
      />
      <NewPasswordField form={form} />
    </>
  )
}

/** A password that somebody chooses. */
export function NewPasswordField({ form }: { form: FormState | undefined }) {
  return (
    <Field
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      required
      minLength={10}
      maxLength={256}
      hint="At least 10 characters; a few words are easiest to keep."
      problem={problemOf(form, 'password')}
    />
  )
}
