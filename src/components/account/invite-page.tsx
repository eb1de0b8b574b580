import { Link } from '@tanstack/react-router'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import type { InviteView } from '#server/console/account/views.ts'
import { AccountCard } from './account-card.tsx'
import { AccountFields } from './account-fields.tsx'

/**
 * The `/invite/$token` screen: joins an organization, with a new account or with the one that is signed in.
 */
export function InvitePage({ view, path }: { view: InviteView; path: string }) {
  const { invite, viewer } = view
  const form = useForm('join')
  if (invite === undefined) {
    return (
      <AccountCard
        title="Invitation no longer valid"
        text="It was used, revoked or has expired. Ask for a new one."
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
        <Form form={form} submitLabel={`Join as ${invite.role}`} />
      </AccountCard>
    )
  }
  return (
    <AccountCard title={title} text={`You’ve been invited as ${invite.role}.`}>
      <Form form={form} submitLabel="Create account and join">
        <AccountFields isFirst email={invite.email} />
      </Form>
      <p className="quiet">
        Already have an account?{' '}
        <Link to="/login" search={{ to: path }}>
          Sign in
        </Link>{' '}
        , then open this link again.
      </p>
    </AccountCard>
  )
}
