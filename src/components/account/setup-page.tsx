import { Link } from '@tanstack/react-router'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Field } from '#components/ui/field.tsx'
import type { SetupView } from '#server/auth/views.ts'
import { AccountCard } from './account-card.tsx'
import { AccountFields } from './account-fields.tsx'

/** The `/setup` screen: the first account of an installation, for whoever has the token that the server printed. */
export function SetupPage({ view, token }: { view: SetupView; token?: string }) {
  const form = useForm('create')
  if (view.areAccountsLost) {
    return (
      <AccountCard
        title="The accounts are lost"
        text="The database of this installation was damaged, and no account could be restored. Set-up stays closed, so that nobody else takes the installation."
      >
        <p>
          Restore a backup, or make an owner on the machine it runs on:
          <code>culvert user add you@example.com --role owner</code>
        </p>
      </AccountCard>
    )
  }
  if (!view.isOpen) {
    return (
      <AccountCard title="Culvert is set up" text="There is an account already. Its owner can invite you.">
        <Link to="/login" className="button" data-tone="primary">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  const isTokenWrong = form.problems.some(({ field }) => field === 'token')
  return (
    <AccountCard
      title="Welcome to Culvert"
      text="Make the first account. It owns the organization and can invite others."
    >
      <Form form={form} submitLabel="Create the account">
        {token === undefined || isTokenWrong ? (
          <Field
            label="Setup token"
            name="token"
            required
            autoComplete="off"
            hint="The server printed it when it started, at the end of the address of this page."
          />
        ) : (
          <input type="hidden" name="token" value={token} />
        )}
        <AccountFields />
      </Form>
    </AccountCard>
  )
}
