import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { AccountSettingsView } from '#server/console/account/views.ts'
import { SessionList } from './session-list.tsx'
import { SettingsHeader } from './settings-header.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

/** The `/settings` screen: one's own name, password, second factor and sessions. */
export function AccountSettings({ view }: { view: AccountSettingsView }) {
  return (
    <NowProvider now={view.now}>
      <SettingsHeader title="Account" description={describeAccount(view)} canConfigure={view.canConfigure} />
      <ProfilePanel view={view} />
      {view.hasPassword ? <PasswordPanel view={view} /> : null}
      {view.hasPassword ? <TwoFactorPanel key={String(view.hasTwoFactor)} view={view} /> : null}
      <TimeZonePanel view={view} />
      <KeyboardPanel view={view} />
      <Panel id="sessions" title="Active sessions">
        <SessionList sessions={view.sessions} />
      </Panel>
    </NowProvider>
  )
}

function describeAccount({ email, memberships }: AccountSettingsView): string {
  if (memberships.length === 0)
    return `${email}. You are not a member of an organization. Ask for an invitation.`
  return [email, ...memberships.map(({ organizationName, role }) => `${role} of ${organizationName}`)].join(
    ', ',
  )
}

function ProfilePanel({ view }: { view: AccountSettingsView }) {
  const form = useForm('rename')
  return (
    <Panel id="profile" title="Profile">
      <Form form={form}>
        <Field
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          defaultValue={view.name}
        />
      </Form>
    </Panel>
  )
}

function PasswordPanel({ view: { tokenCount } }: { view: AccountSettingsView }) {
  const form = useForm('change-password')
  return (
    <Panel id="password" title="Password">
      <Form form={form} submitLabel="Change password">
        <Field
          label="Current password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Field
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={256}
          hint="At least 10 characters. Signs out your other sessions."
        />
        {tokenCount === 0 ? null : (
          <CheckField
            name="keepTokens"
            label={tokenCount === 1 ? 'Keep my API token' : `Keep my ${tokenCount} API tokens`}
            isOn={false}
          />
        )}
      </Form>
    </Panel>
  )
}

function TimeZonePanel({ view }: { view: AccountSettingsView }) {
  const form = useForm('time-zone')
  const shown = useTimeZone()
  return (
    <Panel id="time-zone" title="Time zone">
      <Form form={form}>
        <SelectField
          label="Times are in"
          name="timeZone"
          defaultValue={view.timeZone ?? ''}
          hint={
            <>
              Now {shown}: <Time at={view.now} isExact />. Without JavaScript the time zone of the browser is
              unknown, and times are in UTC.
            </>
          }
          choices={[
            { value: '', label: 'Browser time zone' },
            ...view.timeZones.map((zone) => ({ value: zone, label: zone })),
          ]}
        />
      </Form>
    </Panel>
  )
}

function KeyboardPanel({ view }: { view: AccountSettingsView }) {
  const form = useForm('shortcuts')
  return (
    <Panel id="keyboard" title="Keyboard">
      <Form form={form}>
        <CheckField
          name="shortcuts"
          label="Single-key shortcuts"
          isOn={view.hasShortcuts}
          hint={
            <>
              Press <kbd>?</kbd> on any page for the list. Turn off if you use speech input or trigger them by
              accident.
            </>
          }
        />
      </Form>
    </Panel>
  )
}
