import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '#components/account/forgot-password-page.tsx'
import { loginQuery } from '#queries/account.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/forgot-password')({
  staticData: { isPublic: true },
  ...pageRoute('Forgot password?', loginQuery),
  component: function ForgotPasswordScreen() {
    return <ForgotPasswordPage view={useSuspenseQuery(loginQuery()).data} />
  },
})
