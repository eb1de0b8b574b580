import { PageForm, problemOf } from '#components/account/page-form.tsx'
import { Field } from '#components/ui/field.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { AccountSettingsView } from '#server/auth/views.ts'
import { formOf } from './form-of.ts'
import { SessionList } from './session-list.tsx'
import { SettingsHeader } from './settings-header.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

const doneTexts = {
  password: 'Your new password is set. Every other session has ended, and your API tokens are revoked.',
  'password-only': 'Your new password is set, and every other session has ended.',
  'two-factor':
    'The second factor is on: signing in asks for a code from now on. Every other session has ended.',
  'no-two-factor': 'The second factor is off.',
  shortcuts: 'Saved: single keys do what you chose.',
} as const

/** What was just changed. */
export type SettingsDone = keyof typeof doneTexts

/** The `/settings` screen: one's own name, password, second factor and sessions. */
export function AccountSettings({ view, done }: { view: AccountSettingsView; done?: SettingsDone }) {
  return (
    <NowProvider now={view.now}>
      <SettingsHeader title="Account" description={view.email} mayConfigure={view.mayConfigure} />
      {done === undefined ? null : (
        <p className="form-note" role="status">
          {doneTexts[done]}
        </p>
      )}
      <Panel id="profile" title="Profile">
        <PageForm form={formOf(view, 'rename')} action="rename" submitLabel="Save">
          <Field
            label="Name"
            name="name"
            autoComplete="name"
            required
            maxLength={100}
            defaultValue={view.name}
            problem={problemOf(formOf(view, 'rename'), 'name')}
          />
        </PageForm>
        <p className="panel-note">
          {view.memberships.length === 0
            ? 'You belong to no organization: ask for an invitation.'
            : view.memberships
                .map(({ organizationName, role }) => `${role} of ${organizationName}`)
                .join(', ')}
        </p>
      </Panel>
      {view.hasPassword ? <PasswordPanel view={view} /> : null}
      {view.hasPassword ? <TwoFactorPanel view={view} /> : null}
      <Panel id="keyboard" title="Keyboard">
        <PageForm form={undefined} action="shortcuts" submitLabel="Save">
          <label className="field-check">
            <input type="checkbox" name="shortcuts" defaultChecked={view.hasShortcuts} /> Single keys do
            things
          </label>
          <p className="field-hint">
            Press <kbd>?</kbd> on any page for the list. Switch them off when you speak to your computer, or
            when keys get pressed by mistake.
          </p>
        </PageForm>
      </Panel>
      <Panel id="sessions" title="Sessions" note="Browsers that are signed in as you">
        <SessionList sessions={view.sessions} />
      </Panel>
    </NowProvider>
  )
}

function PasswordPanel({ view }: { view: AccountSettingsView }) {
  const form = formOf(view, 'change-password')
  return (
    <Panel id="password" title="Password">
      <PageForm form={form} action="change-password" submitLabel="Change the password">
        <Field
          label="Current password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          problem={problemOf(form, 'password')}
        />
        <Field
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={256}
          hint="At least 10 characters. Every other session ends."
          problem={problemOf(form, 'newPassword')}
        />
        {view.tokenCount === 0 ? null : (
          <label className="field-check">
            <input type="checkbox" name="keepTokens" /> Keep my {view.tokenCount} API{' '}
            {view.tokenCount === 1 ? 'token' : 'tokens'}
          </label>
        )}
      </PageForm>
    </Panel>
  )
}
