import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { SettingsHeader } from '#components/settings/settings-header.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { DestinationsView, DestinationView } from '#server/console/alerts/views.ts'
import { DestinationFields } from './destination-fields.tsx'
import '#styles/features/alerts.css'

/** The `/settings/destinations` screen: where alerts are sent, in addition to members. */
export function Destinations({ view }: { view: DestinationsView }) {
  const { organizations } = view
  return (
    <NowProvider now={view.now}>
      <SettingsHeader
        title="Destinations"
        description="Where alerts are sent: chats, on-call services, mailing lists, webhooks. Rules of projects name them."
        canConfigure={organizations.length > 0}
      />
      {organizations.length === 0 ? (
        <p className="quiet">Only admins and owners can manage destinations.</p>
      ) : null}
      {organizations.length === 0 || view.mailProblem === undefined ? null : (
        <p className="form-problem">
          <bdi>{view.mailProblem}</bdi>
        </p>
      )}
      {organizations.map((organization) => (
        <OrganizationDestinations key={organization.id} organization={organization} view={view} />
      ))}
    </NowProvider>
  )
}

function OrganizationDestinations({
  organization: { id, name, destinations },
  view,
}: {
  organization: DestinationsView['organizations'][number]
  view: DestinationsView
}) {
  return (
    <>
      <Panel id={`destinations-${id}`} title={name} note={countedNoun(destinations.length, 'destination')}>
        {destinations.length === 0 ? (
          <p className="quiet">No destinations yet. Alerts still appear in the inbox.</p>
        ) : (
          <ul className="destination-list">
            {destinations.map((destination) => (
              <DestinationRow key={destination.id} destination={destination} organizationId={id} />
            ))}
          </ul>
        )}
      </Panel>
      <NewDestination organizationId={id} view={view} />
    </>
  )
}

function NewDestination({ organizationId, view }: { organizationId: number; view: DestinationsView }) {
  const { channel, channels, hasMail } = view
  const form = useForm('add', {
    of: { organization: String(organizationId), channel: channel.kind },
    isEmptied: true,
  })
  return (
    <Panel id={`new-destination-${organizationId}`} title="Add destination">
      <div className="channel-tabs">
        <LinkTabs label="Channel">
          {channels.map(({ kind, name }) => (
            <Link
              key={kind}
              to="/settings/destinations"
              search={{ channel: kind }}
              aria-current={kind === channel.kind ? 'page' : undefined}
              resetScroll={false}
            >
              {name}
            </Link>
          ))}
        </LinkTabs>
      </div>
      <p className="quiet">{channel.help}</p>
      {channel.kind === 'email' && !hasMail ? (
        <p className="form-problem">Email is not set up on this server.</p>
      ) : null}
      <Form form={form} submitLabel="Add" key={channel.kind}>
        <Field
          label="Name"
          name="name"
          id={`destination-name-${organizationId}`}
          maxLength={100}
          required
          placeholder="#ops"
          hint="Shown in rules and in the list of alerts."
        />
        <DestinationFields fields={channel.fields} idPrefix={`new-${organizationId}`} />
      </Form>
    </Panel>
  )
}

function DestinationRow({
  destination,
  organizationId,
}: {
  destination: DestinationView
  organizationId: number
}) {
  const { id, name, channelName, fields, settings, ruleNames, disabledAt } = destination
  const of = { organization: String(organizationId), destination: id }
  const test = useForm('test', { of })
  const change = useForm('change', { of })
  const toggle = useForm(disabledAt === undefined ? 'disable' : 'enable', { of })
  const remove = useForm('remove', { of })
  const group = `destination-${id}-forms`
  return (
    <li>
      <span className="member-name">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="quiet">
          {channelName}, {toRulesText(ruleNames)}
        </span>
      </span>
      <DestinationState destination={destination} />
      <div className="key-forms">
        <details className="key-edit" name={group}>
          <summary className="button" aria-label={`Edit ${name}`}>
            Edit
          </summary>
          <Form form={change} label={`Edit ${name}`}>
            <Field label="Name" name="name" id={`name-${id}`} maxLength={100} required defaultValue={name} />
            <DestinationFields fields={fields} values={settings} idPrefix={id} isStored />
          </Form>
        </details>
        <Form form={test} submitLabel="Send test" submitName={`Send test to ${name}`} tone="plain" />
        <Form
          form={toggle}
          submitLabel={disabledAt === undefined ? 'Disable' : 'Enable'}
          submitName={`${disabledAt === undefined ? 'Disable' : 'Enable'} ${name}`}
          tone="plain"
        />
        <ConfirmedForm
          form={remove}
          verb="Delete"
          subject={name}
          group={group}
          warning={`Its settings can’t be restored.${ruleNames.length === 0 ? '' : ' The rules that use it no longer send to it.'}`}
        />
      </div>
    </li>
  )
}

function toRulesText(names: readonly string[]): string {
  if (names.length === 0) return 'not used by a rule'
  return `used by ${names.length === 1 ? 'the rule' : `${names.length} rules:`} ${names.join(', ')}`
}

function DestinationState({ destination }: { destination: DestinationView }) {
  const { disabledAt, disabledReason, failingSince, lastError, isUnreadable } = destination
  if (isUnreadable)
    return (
      <p className="form-problem">
        This version of Culvert cannot read the settings: a newer version has saved them. Nothing is sent.
        Install that version again, or a newer one.
      </p>
    )
  if (disabledAt !== undefined)
    return (
      <p className="form-problem">
        Disabled <Time at={disabledAt} />: {disabledReason}
      </p>
    )
  if (failingSince === undefined) return null
  return (
    <p className="form-problem">
      Failing since <Time at={failingSince} />: {lastError}
    </p>
  )
}
