import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from './-method-not-allowed.ts'

export const Route = createFileRoute('/auth/callback/$provider')({
  server: {
    handlers: {
      /** Where the identity provider sends browsers back to: the library checks what they bring and makes a session. */
      GET: async ({ request, context }) => {
        const { accounts } = context.services
        if (accounts.oidcName === undefined) return new Response(null, { status: 404 })
        const { handler } = await accounts.library()
        return handler(request)
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
