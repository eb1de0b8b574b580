import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Field } from '#components/ui/form/field.tsx'
import { Link } from '#components/ui/link.tsx'
import type { LoginView } from '#server/console/account/views.ts'
import { AccountCard } from './account-card.tsx'
import { EmailField } from './account-fields.tsx'

/** The step of the sign-in, from the URL. */
export type LoginStep = 'code' | 'expired' | 'provider-failed' | 'new-password' | 'link-sent'

/** Why a sign-in through the identity provider failed, from the URL. */
export type ProviderError =
  | 'provider_unavailable'
  | 'signup_disabled'
  | 'account_not_linked'
  | 'other_identity'
  | 'email_not_found'
  | 'access_denied'

interface LoginPageProps {
  view: LoginView
  step?: LoginStep
  providerError?: ProviderError
  to?: string
}

/** The `/login` screen: the password, then the second factor of accounts that have one. */
export function LoginPage({ view, step, providerError, to }: LoginPageProps) {
  const isCode = step === 'code'
  return (
    <AccountCard title={isCode ? 'Two-factor authentication' : 'Sign in'} {...(isCode && { text: codeText })}>
      {step === 'provider-failed' ? (
        <p className="form-problem" role="alert">
          {providerText(providerError)}
        </p>
      ) : null}
      {step === 'expired' ? (
        <p className="form-problem" role="alert">
          The sign-in has expired. Sign in again.
        </p>
      ) : null}
      {step === 'new-password' ? (
        <p className="form-note" role="status">
          Your new password is set. Sign in with it.
        </p>
      ) : null}
      {step === 'link-sent' && view.mailedLinkHours !== undefined ? (
        <p className="form-note" role="status">
          If an account with this address exists, a link has been sent. It works for {view.mailedLinkHours}{' '}
          hours.
        </p>
      ) : null}
      {isCode ? <CodeForm to={to} /> : <PasswordForm to={to} />}
      {isCode ? null : <ProviderLink name={view.providerName} to={to} />}
      <p className="quiet">
        {isCode ? lostCodesText : <ForgottenPassword canMailLink={view.mailedLinkHours !== undefined} />}
      </p>
    </AccountCard>
  )
}

function providerText(providerError: ProviderError | undefined): string {
  switch (providerError) {
    case 'provider_unavailable':
      return 'The identity provider did not respond. Try again in a moment, or sign in with your password.'
    case 'signup_disabled':
      return 'No account has your email address. Ask an owner for an invitation.'
    case 'account_not_linked':
      return 'No owner or admin has confirmed the email address of your account. Sign in with your password.'
    case 'other_identity':
      return 'Your account is connected to another identity at the provider. Sign in with your password, or ask the operator to disconnect it.'
    case 'email_not_found':
      return 'The identity provider has not verified your email address. Verify it there, then sign in again.'
    case 'access_denied':
      return 'The identity provider denied the sign-in.'
    case undefined:
      break
  }
  return 'Signing in at the identity provider failed. Try again, or sign in with your password.'
}

function ForgottenPassword({ canMailLink }: { canMailLink: boolean }) {
  if (canMailLink) return <Link to="/forgot-password">Forgot password?</Link>
  return 'Forgot your password? Ask the operator of this server for a link to set a new one.'
}

const lostCodesText =
  'Lost both? Ask the operator of this server to turn off two-factor authentication for your account.'

const codeText = 'Enter the six digits that your authenticator app shows, or one of your recovery codes.'

function PasswordForm({ to = '' }: { to: string | undefined }) {
  const form = useForm('password', { of: { to } })
  return (
    <Form form={form} submitLabel="Sign in">
      <EmailField isFirst />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
    </Form>
  )
}

function CodeForm({ to = '' }: { to: string | undefined }) {
  const form = useForm('code', { of: { to } })
  return (
    <Form form={form} submitLabel="Continue">
      <Field label="Code" name="code" autoComplete="one-time-code" required maxLength={40} isFocused />
    </Form>
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
