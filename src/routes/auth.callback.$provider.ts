import { createFileRoute } from '@tanstack/react-router'
import { getProviderCallback } from '#server/console/account/login.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

export const Route = createFileRoute('/auth/callback/$provider')({
  server: {
    handlers: {
      /** The redirect URL of the identity provider: the library checks it and creates a session. */
      GET: ({ request, context }) => getProviderCallback(context.services, request),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
