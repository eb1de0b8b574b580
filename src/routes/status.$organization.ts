import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

/** The public status page of an organization. */
export const Route = createFileRoute('/status/$organization')({
  server: {
    handlers: {
      GET: ({ request, params: { organization }, context: { services } }) =>
        services.statusPages.answer(request, organization),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
