import { createFileRoute } from '@tanstack/react-router'
import { getProviderSignIn } from '#server/console/account/login.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

export const Route = createFileRoute('/auth/sign-in')({
  server: {
    handlers: {
      /** To the identity provider: a link, because a form of ours may only be answered by this site. */
      GET: ({ request, context }) => getProviderSignIn(context.services, request),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
