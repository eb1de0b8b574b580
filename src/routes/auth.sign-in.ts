import { createFileRoute } from '@tanstack/react-router'
import { getProviderSignIn } from '#server/console/account/login.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

export const Route = createFileRoute('/auth/sign-in')({
  server: {
    handlers: {
      /**
       * Redirects to the identity provider. A link and not a form, because the CSP restricts the targets of
       * forms to this origin.
       */
      GET: ({ request, context }) => getProviderSignIn(context.services, request),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
