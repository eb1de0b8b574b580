import { PageForm, problemOf } from '#components/account/page-form.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Field } from '#components/ui/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { AccountSettingsView, TwoFactorSetup } from '#server/auth/views.ts'
import { formOf } from './form-of.ts'

/** The second factor: on, off, or waiting for its first code. */
export function TwoFactorPanel({ view }: { view: AccountSettingsView }) {
  const setup = view.form?.twoFactor
  const note = view.hasTwoFactor ? 'On' : 'Off'
  return (
    <Panel id="two-factor" title="Second factor" note={note}>
      {setup === undefined ? <Switch view={view} /> : <Confirmation view={view} setup={setup} />}
    </Panel>
  )
}

function Switch({ view }: { view: AccountSettingsView }) {
  const action = view.hasTwoFactor ? 'stop-two-factor' : 'start-two-factor'
  const form = formOf(view, action)
  return (
    <>
      <p className="panel-text">
        {view.hasTwoFactor
          ? 'Signing in asks for a code of your authenticator app after the password.'
          : 'With a second factor, a stolen password alone lets nobody in. You need an authenticator app.'}
      </p>
      <PageForm form={form} action={action} submitLabel={view.hasTwoFactor ? 'Turn it off' : 'Set it up'}>
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          id={`field-${action}`}
          problem={problemOf(form, 'password')}
        />
      </PageForm>
    </>
  )
}

function Confirmation({ view, setup }: { view: AccountSettingsView; setup: TwoFactorSetup }) {
  const form = formOf(view, 'confirm-two-factor')
  const codes = setup.recoveryCodes.join('\n')
  return (
    <div className="two-factor-setup">
      <div>
        <h3>1. Scan this with your authenticator app</h3>
        <svg
          className="qr-code"
          viewBox={`0 0 ${setup.qrCode.size} ${setup.qrCode.size}`}
          role="img"
          aria-label="QR code of the secret"
        >
          <path d={setup.qrCode.path} />
        </svg>
        <p className="quiet">
          Or type it in: <code>{setup.secret}</code>
        </p>
      </div>
      <div>
        <h3>2. Keep the recovery codes</h3>
        <p className="quiet">Each lets you in once without the app. They are shown only now.</p>
        <pre className="recovery-codes">{codes}</pre>
        <CopyButton text={codes} label="Copy the recovery codes" />
      </div>
      <div>
        <h3>3. Enter the code that the app shows</h3>
        <PageForm form={form} action="confirm-two-factor" submitLabel="Turn it on">
          <input type="hidden" name="uri" value={setup.uri} />
          <input type="hidden" name="codes" value={setup.recoveryCodes.join(' ')} />
          <Field
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={10}
            problem={problemOf(form, 'code')}
          />
        </PageForm>
      </div>
    </div>
  )
}
