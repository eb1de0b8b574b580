import { Form } from '#components/form/form.tsx'
import { useForm, type FormState } from '#components/form/use-form.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { AccountSettingsView } from '#server/console/account/views.ts'
import type { TwoFactorSetup } from '#server/forms/result-views.ts'

/** The second factor: on, off, or waiting for its first code. */
export function TwoFactorPanel({ view: { hasTwoFactor } }: { view: AccountSettingsView }) {
  const toggle = useForm(hasTwoFactor ? 'stop-two-factor' : 'start-two-factor')
  const confirm = useForm('confirm-two-factor')
  const shown = confirm.shown ?? toggle.shown
  return (
    <Panel id="two-factor" title="Two-factor authentication" note={hasTwoFactor ? 'On' : 'Off'}>
      {shown?.kind === 'two-factor' ? (
        <Confirmation form={confirm} setup={shown.setup} />
      ) : (
        <Switch form={toggle} hasTwoFactor={hasTwoFactor} />
      )}
    </Panel>
  )
}

function Switch({ form, hasTwoFactor }: { form: FormState; hasTwoFactor: boolean }) {
  return (
    <>
      <p className="panel-text">
        {hasTwoFactor
          ? 'Signing in requires a code from your authenticator app after the password.'
          : 'Add two-factor authentication with an authenticator app.'}
      </p>
      <Form
        form={form}
        submitLabel={hasTwoFactor ? 'Turn off' : 'Set up'}
        tone={hasTwoFactor ? 'plain' : 'primary'}
      >
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          id="field-two-factor-password"
        />
      </Form>
    </>
  )
}

function Confirmation({ form, setup }: { form: FormState; setup: TwoFactorSetup }) {
  const codes = setup.recoveryCodes.join('\n')
  return (
    <div className="two-factor-setup">
      <div>
        <h3>1. Scan this with your authenticator app</h3>
        <svg
          className="qr-code"
          viewBox={`0 0 ${setup.qrCode.size} ${setup.qrCode.size}`}
          role="img"
          aria-label="QR code with the secret"
        >
          <path d={setup.qrCode.path} />
        </svg>
        <p className="quiet">
          Or enter the secret: <code>{setup.secret}</code>{' '}
          <CopyButton text={setup.secret} label="Copy secret" />
        </p>
      </div>
      <div>
        <h3>2. Keep the recovery codes</h3>
        <p className="quiet">
          Each code works once. Save them now; you won’t see them again.{' '}
          <CopyButton text={codes} label="Copy recovery codes" />
        </p>
        <pre className="recovery-codes">{codes}</pre>
      </div>
      <div>
        <h3>3. Enter the code from the app</h3>
        <Form form={form} submitLabel="Turn on">
          <input type="hidden" name="uri" value={setup.uri} />
          <input type="hidden" name="codes" value={setup.recoveryCodes.join(' ')} />
          <Field
            label="Code"
            name="code"
            inputMode="numeric"
            size={12}
            autoComplete="one-time-code"
            required
            maxLength={10}
          />
        </Form>
      </div>
    </div>
  )
}
