import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Badge } from '#components/ui/badge.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider, useClock } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { MembersView, OrganizationMembers } from '#server/console/account/views.ts'
import { ProjectChoice, RoleSelect } from './member-fields.tsx'
import { MemberRow } from './member-row.tsx'
import { SettingsHeader } from './settings-header.tsx'

/** The `/settings/members` screen: members and invitations of the organizations that the user manages. */
export function Members({ view }: { view: MembersView }) {
  return (
    <NowProvider now={view.now}>
      <SettingsHeader
        title="Members"
        description="Manage members and invitations."
        canConfigure={view.organizations.length > 0}
      />
      {view.organizations.length === 0 ? (
        <p className="quiet">Only admins and owners can manage members.</p>
      ) : null}
      {view.organizations.map((organization) => (
        <OrganizationPanels key={organization.id} organization={organization} />
      ))}
    </NowProvider>
  )
}

function OrganizationPanels({ organization }: { organization: OrganizationMembers }) {
  const { id, name, members } = organization
  // Without JavaScript a renewed link is shown where a new one is.
  const invite = useForm('invite', {
    of: { organization: String(id) },
    also: ['renew-invite'],
    isEmptied: true,
  })
  return (
    <>
      <Panel id={`members-${id}`} title={name} note={countedNoun(members.length, 'member')}>
        <ul className="member-list">
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} organization={organization} />
          ))}
        </ul>
      </Panel>
      <Panel
        id={`invite-${id}`}
        title="Invite a member"
        note="Single-use link, valid for 7 days. You share it yourself."
      >
        <div role="status">
          {invite.shown?.kind === 'invitation' ? <InviteLink link={invite.shown.link} /> : null}
        </div>
        <Form form={invite} submitLabel="Create invite link">
          <Field
            label="Email"
            name="note"
            id={`invite-note-${id}`}
            maxLength={100}
            placeholder="ada@example.com"
            hint="Required for single sign-on."
          />
          <RoleSelect organization={organization} id={`invite-role-${id}`} current="member" />
          <ProjectChoice organization={organization} id={`invite-projects-${id}`} />
        </Form>
      </Panel>
      <Invites organization={organization} />
      {organization.role === 'owner' ? <OrganizationName organization={organization} /> : null}
    </>
  )
}

function OrganizationName({ organization: { id, name } }: { organization: OrganizationMembers }) {
  const form = useForm('rename-organization', { of: { organization: String(id) } })
  return (
    <Panel id={`organization-${id}`} title="Organization" note="Invitations show its name">
      <Form form={form}>
        <Field
          label="Name"
          name="name"
          id={`organization-name-${id}`}
          autoComplete="organization"
          required
          maxLength={100}
          defaultValue={name}
        />
      </Form>
    </Panel>
  )
}

function InviteLink({ link }: { link: string }) {
  return (
    <p className="form-note">
      Copy and send this link: <code className="invite-link">{link}</code>
      <CopyButton text={link} label="Copy invitation" />
    </p>
  )
}

function Invites({ organization: { id, invites } }: { organization: OrganizationMembers }) {
  if (invites.length === 0) return null
  return (
    <Panel
      id={`invites-${id}`}
      title="Pending invitations"
      note="A link is shown only once. A new link replaces the old one, and is valid for 7 days."
    >
      <ul className="member-list">
        {invites.map((invite) => (
          <InviteRow
            // Its id is that of its link, which changes.
            key={`${invite.createdAt} ${invite.note}`}
            invite={invite}
            organizationId={id}
          />
        ))}
      </ul>
    </Panel>
  )
}

function InviteRow({
  invite,
  organizationId,
}: {
  invite: OrganizationMembers['invites'][number]
  organizationId: number
}) {
  const of = { organization: String(organizationId), invite: invite.id }
  const renew = useForm('renew-invite', { of })
  const withdraw = useForm('withdraw-invite', { of })
  const name = invite.note === '' ? 'Unnamed' : invite.note
  return (
    <li className="invite-row">
      <span>
        <strong>{name}</strong> as {invite.role}
      </span>
      <InviteState invite={invite} />
      <div className="invite-actions">
        <Form form={renew} submitLabel="New link" submitName={`New link for ${name}`} tone="plain" />
        <Form
          form={withdraw}
          submitLabel="Revoke"
          submitName={`Revoke invitation for ${name}`}
          tone="plain"
        />
      </div>
      <div className="invite-new-link" role="status">
        {renew.shown?.kind === 'invitation' ? <InviteLink link={renew.shown.link} /> : null}
      </div>
    </li>
  )
}

/** Since when it is open, and until when, or that it has expired. */
function InviteState({ invite }: { invite: OrganizationMembers['invites'][number] }) {
  const isExpired = invite.expiresAt <= (useClock()?.now ?? 0)
  return (
    <span className="quiet">
      created <Time at={invite.createdAt} /> ·{' '}
      {isExpired ? (
        <>
          <Badge tone="warning">expired</Badge> <Time at={invite.expiresAt} />
        </>
      ) : (
        <>
          expires <Time at={invite.expiresAt} />
        </>
      )}
    </span>
  )
}
