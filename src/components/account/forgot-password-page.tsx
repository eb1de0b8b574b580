import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Link } from '#components/ui/link.tsx'
import type { LoginView } from '#server/console/account/views.ts'
import { AccountCard } from './account-card.tsx'
import { EmailField } from './account-fields.tsx'

/** The `/forgot-password` screen: requests a mail with a link for a new password. */
export function ForgotPasswordPage({ view }: { view: LoginView }) {
  const form = useForm('send')
  if (view.mailedLinkHours === undefined) {
    return (
      <AccountCard
        title="Forgot password?"
        text="Ask the operator of this server for a link to set a new password."
      >
        <Link to="/login" className="button">
          Sign in
        </Link>
      </AccountCard>
    )
  }
  return (
    <AccountCard
      title="Forgot password?"
      text="Enter the email address of your account. You get a link to set a new password."
    >
      <Form form={form} submitLabel="Send link">
        <EmailField isFirst />
      </Form>
      <p className="quiet">
        <Link to="/login">Back to sign-in</Link>
      </p>
    </AccountCard>
  )
}
