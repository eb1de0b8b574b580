import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { FieldsContext } from '#components/ui/form/field-state.ts'
import { Field } from '#components/ui/form/field.tsx'
import { Link } from '#components/ui/link.tsx'
import type { SetupView } from '#server/console/account/views.ts'
import { AccountCard } from './account-card.tsx'
import { AccountFields } from './account-fields.tsx'

/** The `/setup` screen: creates the first account of an installation; needs the printed token. */
export function OwnerSetupPage({ view, token }: { view: SetupView; token: string }) {
  const form = useForm('create')
  if (view.areAccountsLost) {
    return (
      <AccountCard
        title="Accounts could not be restored"
        text="The database of this installation was damaged, and no account could be restored. Setup stays closed, to prevent a takeover of this installation."
      >
        <p>
          Restore a backup, or create an owner account on the server:{' '}
          <code>culvert user add you@example.com --role owner</code>
        </p>
      </AccountCard>
    )
  }
  if (!view.isOpen) {
    return (
      <AccountCard title="Culvert is set up" text="An owner account exists. Ask the owner for an invitation.">
        <Link to="/login" className="button" data-tone="primary">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  // A wrong token is shown before the four fields are filled in; later, the entered values remain.
  if (!view.isTokenRight && form.entered === undefined && form.problems.length === 0)
    return <TokenCard token={token} problem={view.tokenProblem} />
  const isTokenWrong = form.problems.some(({ field }) => field === 'token')
  return (
    <AccountCard title="Welcome to Culvert" text="Create the owner account.">
      <Form form={form} submitLabel="Create account">
        {isTokenWrong ? <TokenField token={token} /> : <input type="hidden" name="token" value={token} />}
        <Field
          label="Organization"
          name="organization"
          autoComplete="organization"
          required
          maxLength={100}
          placeholder="Example Inc."
          isFocused={!isTokenWrong}
        />
        <AccountFields />
      </Form>
    </AccountCard>
  )
}

/** Prompts for the token only, and shows when it is wrong. */
function TokenCard({ token, problem }: { token: string; problem: string | undefined }) {
  const problems = problem === undefined ? [] : [{ field: 'token', message: problem }]
  return (
    <AccountCard
      title="Welcome to Culvert"
      text="Enter the setup token. The server logs it at startup, at the end of the setup URL."
    >
      <form className="form" method="get" action="/setup">
        <fieldset>
          <FieldsContext value={{ problems, entered: undefined }}>
            <TokenField token={token} />
          </FieldsContext>
          <button type="submit" className="button" data-tone="primary">
            Continue
          </button>
        </fieldset>
      </form>
    </AccountCard>
  )
}

function TokenField({ token }: { token: string }) {
  return (
    <Field
      label="Setup token"
      name="token"
      required
      autoComplete="off"
      isFocused
      defaultValue={token}
      hint="Printed in the server’s log at startup."
    />
  )
}
