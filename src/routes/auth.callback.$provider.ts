import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from './-method-not-allowed.ts'

export const Route = createFileRoute('/auth/callback/$provider')({
  server: {
    handlers: {
      /** Where the identity provider sends browsers back to: the library checks what they bring and makes a session. */
      GET: async ({ request, context }) => {
        const { handler } = await context.services.accounts.library()
        return handler(request)
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
