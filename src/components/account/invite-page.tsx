import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { InviteView } from '#server/console/account/views.ts'
import { AccountCard } from './account-card.tsx'
import { AccountFields } from './account-fields.tsx'

/** The `/invite/$token` screen: joins an organization, with a new account or the signed-in one. */
export function InvitePage({ view, path }: { view: InviteView; path: string }) {
  const { invite, viewer } = view
  const form = useForm('join')
  if (invite === undefined) {
    return (
      <AccountCard title="Invitation no longer valid" text={<GoneText expiredAt={view.expiredAt} />}>
        <Link to="/login" className="button">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  const title = `Join ${invite.organizationName}`
  if (viewer !== undefined) {
    if (viewer.isMember) {
      return (
        <AccountCard
          title={title}
          text={`You are signed in as ${viewer.name} (${viewer.email}), who is a member already. The invitation can still be used by someone else.`}
        >
          <Link to="/issues" search={{}} className="button">
            Go to the issues
          </Link>
          <OtherUser path={path} />
        </AccountCard>
      )
    }
    const isForOther = invite.email !== undefined && invite.email !== viewer.email
    return (
      <AccountCard title={title} text={`You are signed in as ${viewer.name} (${viewer.email}).`}>
        {isForOther ? (
          <p className="form-note">
            This invitation is for {invite.email}. Join only if both addresses are yours.
          </p>
        ) : null}
        <Form
          form={form}
          submitLabel={`Join as ${withArticle(invite.role)}`}
          tone={isForOther ? 'plain' : 'primary'}
        />
        <OtherUser path={path} />
      </AccountCard>
    )
  }
  return (
    <AccountCard title={title} text={`You’ve been invited as ${withArticle(invite.role)}.`}>
      <Form form={form} submitLabel="Create account and join">
        <AccountFields isFirst email={invite.email} />
      </Form>
      <p className="quiet">
        Already have an account?{' '}
        <Link to="/login" search={{ to: path }}>
          Sign in
        </Link>{' '}
        to join with it.
      </p>
    </AccountCard>
  )
}

function GoneText({ expiredAt }: { expiredAt: number | undefined }) {
  if (expiredAt === undefined)
    return 'It was used, revoked or replaced by a new link. Ask the person who invited you for a new one.'
  return (
    <>
      It expired <Time at={expiredAt} isExact />. Ask the person who invited you for a new link.
    </>
  )
}

/** `an owner`, `a member` */
function withArticle(role: string): string {
  return `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
}

/** Signs out, and returns to the invitation. */
function OtherUser({ path }: { path: string }) {
  return (
    <form method="post" action="/sign-out">
      <input type="hidden" name="to" value={path} />
      <button type="submit" className="button">
        Use another account
      </button>
    </form>
  )
}
