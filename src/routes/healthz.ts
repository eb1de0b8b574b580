import { createFileRoute } from '@tanstack/react-router'
import { release } from '#monitoring/release.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

export const Route = createFileRoute('/healthz')({
  server: {
    handlers: {
      GET: ({ context }) =>
        Response.json(
          { status: 'ok', release, environment: context.services.env.environment },
          { headers: { 'cache-control': 'no-store' } },
        ),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
