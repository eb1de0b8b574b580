import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Link } from '#components/ui/link.tsx'
import type { PasswordLinkView } from '#server/console/account/views.ts'
import { AccountCard } from './account-card.tsx'
import { NewPasswordField } from './account-fields.tsx'

/** The `/password/$token` screen: sets a new password for the holder of the link. */
export function PasswordLinkPage({ view }: { view: PasswordLinkView }) {
  const form = useForm('save')
  if (view.email === undefined) {
    return (
      <AccountCard
        title="Link expired"
        text={
          view.canMailLink
            ? 'It was used, replaced by a newer one, or has expired.'
            : 'It was used or has expired. Ask the operator of this server for a new one.'
        }
      >
        {view.canMailLink ? (
          <Link to="/forgot-password" className="button" data-tone="primary">
            Request a new link
          </Link>
        ) : null}
        <Link to="/login" className="button">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title="New password"
      text={`For ${view.email}. Signs you out everywhere and revokes your API tokens.`}
    >
      <Form form={form} submitLabel="Set password">
        <input type="hidden" name="username" autoComplete="username" value={view.email} />
        <NewPasswordField />
      </Form>
    </AccountCard>
  )
}
