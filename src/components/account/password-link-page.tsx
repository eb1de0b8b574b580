import { Link } from '@tanstack/react-router'
import type { PasswordLinkView } from '#server/auth/views.ts'
import { AccountCard } from './account-card.tsx'
import { NewPasswordField } from './account-fields.tsx'
import { PageForm } from './page-form.tsx'

/** The `/password/$token` screen: a new password for whoever got the link. */
export function PasswordLinkPage({ view }: { view: PasswordLinkView }) {
  if (view.email === undefined) {
    return (
      <AccountCard title="This link is over" text="It was used or has expired. Ask for a new one.">
        <Link to="/login" className="button">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title="New password"
      text={`For ${view.email}. It ends every session of this account and revokes its API tokens.`}
    >
      <PageForm form={view.form} submitLabel="Set the password">
        <input type="hidden" name="username" autoComplete="username" value={view.email} />
        <NewPasswordField form={view.form} />
      </PageForm>
    </AccountCard>
  )
}
