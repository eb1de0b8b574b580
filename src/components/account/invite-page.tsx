import { Link } from '@tanstack/react-router'
import type { InviteView } from '#server/auth/views.ts'
import { AccountCard } from './account-card.tsx'
import { AccountFields } from './account-fields.tsx'
import { PageForm } from './page-form.tsx'

/** The `/invite/$token` screen: joins an organization, with a new account or with the one that is signed in. */
export function InvitePage({ view, path }: { view: InviteView; path: string }) {
  const { invite, viewer, form } = view
  if (invite === undefined) {
    return (
      <AccountCard
        title="This invitation is over"
        text="It was used, withdrawn or has expired. Ask for a new one."
      >
        <Link to="/login" className="button">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  const title = `Join ${invite.organizationName}`
  if (viewer !== undefined) {
    return (
      <AccountCard title={title} text={`You are signed in as ${viewer.name} (${viewer.email}).`}>
        <PageForm form={form} submitLabel={`Join as ${invite.role}`}>
          {null}
        </PageForm>
      </AccountCard>
    )
  }
  return (
    <AccountCard title={title} text={`You are invited as ${invite.role}.`}>
      <PageForm form={form} submitLabel="Create my account and join">
        <AccountFields form={form} />
      </PageForm>
      <p className="quiet">
        You have an account?{' '}
        <Link to="/login" search={{ to: path }}>
          Sign in
        </Link>{' '}
        and come back here.
      </p>
    </AccountCard>
  )
}
