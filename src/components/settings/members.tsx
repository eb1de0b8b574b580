import { PageForm } from '#components/account/page-form.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Field } from '#components/ui/field.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { MembersView, OrganizationMembers } from '#server/auth/views.ts'
import { ProjectChoice, RoleSelect } from './member-fields.tsx'
import { MemberRow } from './member-row.tsx'
import { SettingsHeader } from './settings-header.tsx'

/** The `/settings/members` screen: who belongs to the organizations that one manages, and who is invited. */
export function Members({ view }: { view: MembersView }) {
  const problems = view.form?.problems ?? []
  return (
    <NowProvider now={view.now}>
      <SettingsHeader
        title="Members"
        description="Who may see and do what, and who is invited."
        mayConfigure={view.organizations.length > 0}
      />
      {problems.map(({ message }) => (
        <p key={message} className="form-problem" role="alert">
          {message}
        </p>
      ))}
      {view.organizations.length === 0 ? (
        <p className="quiet">Only admins and owners of an organization manage its members.</p>
      ) : null}
      {view.organizations.map((organization) => (
        <OrganizationPanels
          key={organization.id}
          organization={organization}
          link={linkFor(view, organization)}
        />
      ))}
    </NowProvider>
  )
}

/** The invitation that was just made there. */
function linkFor({ form }: MembersView, { id }: OrganizationMembers): string | undefined {
  return form?.values['organization'] === String(id) ? form.values['link'] : undefined
}

function OrganizationPanels({
  organization,
  link,
}: {
  organization: OrganizationMembers
  link: string | undefined
}) {
  const { id, name, members } = organization
  return (
    <>
      <Panel
        id={`members-${id}`}
        title={name}
        note={`${members.length} ${members.length === 1 ? 'member' : 'members'}`}
      >
        <ul className="member-list">
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} organization={organization} />
          ))}
        </ul>
      </Panel>
      <Panel
        id={`invite-${id}`}
        title="Invite somebody"
        note="A link that works once, for 7 days. No mail is sent."
      >
        {link === undefined ? null : (
          <p className="form-note" role="status">
            Send this link: <code className="invite-link">{link}</code>
            <CopyButton text={link} label="Copy the invitation" />
          </p>
        )}
        <PageForm form={undefined} action="invite" submitLabel="Make an invitation">
          <input type="hidden" name="organization" value={id} />
          <Field
            label="For whom"
            name="note"
            id={`invite-note-${id}`}
            maxLength={100}
            placeholder="ada@example.com"
            hint="With their e-mail address, they can sign in at an identity provider, too."
          />
          <RoleSelect organization={organization} id={`invite-role-${id}`} current="member" />
          <ProjectChoice organization={organization} id={`invite-projects-${id}`} />
        </PageForm>
      </Panel>
      <Invites organization={organization} />
    </>
  )
}

function Invites({ organization: { id, invites } }: { organization: OrganizationMembers }) {
  if (invites.length === 0) return null
  return (
    <Panel id={`invites-${id}`} title="Open invitations">
      <ul className="member-list">
        {invites.map((invite) => (
          <li key={invite.id} className="invite-row">
            <span>
              <strong>{invite.note === '' ? 'Somebody' : invite.note}</strong> as {invite.role}
            </span>
            <span className="quiet">
              made <Time at={invite.createdAt} />
            </span>
            <form method="post">
              <input type="hidden" name="action" value="withdraw-invite" />
              <input type="hidden" name="organization" value={id} />
              <input type="hidden" name="invite" value={invite.id} />
              <button type="submit" className="button">
                Withdraw
              </button>
            </form>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
