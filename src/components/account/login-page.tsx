import { Field } from '#components/ui/field.tsx'
import type { LoginView } from '#server/auth/views.ts'
import { AccountCard } from './account-card.tsx'
import { PageForm } from './page-form.tsx'

/** How far signing in has come, by the URL. */
export type LoginStep = 'code' | 'provider-failed' | 'new-password'

/** The `/login` screen: a password, and after it the second factor where there is one. */
export function LoginPage({ view, step, to }: { view: LoginView; step?: LoginStep; to?: string }) {
  const isCode = step === 'code'
  return (
    <AccountCard title={isCode ? 'Second factor' : 'Sign in'} {...(isCode && { text: codeText })}>
      {step === 'provider-failed' ? (
        <p className="form-problem" role="alert">
          The identity provider did not let you in, or no account here has your address. Ask an owner for an
          invitation.
        </p>
      ) : null}
      {step === 'new-password' ? (
        <p className="form-note" role="status">
          Your new password is set. Sign in with it.
        </p>
      ) : null}
      {isCode ? <CodeForm view={view} to={to} /> : <PasswordForm view={view} to={to} />}
      {isCode ? null : <ProviderLink name={view.providerName} to={to} />}
    </AccountCard>
  )
}

const codeText = 'Enter the six digits that your authenticator app shows, or one of your recovery codes.'

function PasswordForm({ view, to }: { view: LoginView; to: string | undefined }) {
  return (
    <PageForm form={view.form} submitLabel="Sign in">
      <input type="hidden" name="to" value={to ?? ''} />
      <Field
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={view.form?.values['email']}
      />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
    </PageForm>
  )
}

function CodeForm({ view, to }: { view: LoginView; to: string | undefined }) {
  return (
    <PageForm form={view.form} submitLabel="Continue">
      <input type="hidden" name="step" value="code" />
      <input type="hidden" name="to" value={to ?? ''} />
      <Field label="Code" name="code" autoComplete="one-time-code" required maxLength={40} />
    </PageForm>
  )
}

function ProviderLink({ name, to }: { name: string | undefined; to: string | undefined }) {
  if (name === undefined) return null
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
  return (
    <a className="button" href={`/auth/sign-in${query}`}>
      Sign in with {name}
    </a>
  )
}
