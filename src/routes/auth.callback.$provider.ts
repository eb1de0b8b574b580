import { createFileRoute } from '@tanstack/react-router'
import { getProviderCallback } from '#server/console/account/login.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

export const Route = createFileRoute('/auth/callback/$provider')({
  server: {
    handlers: {
      /**
       * Where the identity provider sends browsers back to: the library checks what they bring and makes a
       * session.
       */
      GET: ({ request, context }) => getProviderCallback(context.services, request),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
