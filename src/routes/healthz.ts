import { createFileRoute } from '@tanstack/react-router'

import { environmentFrom } from '#monitoring/environment.ts'
import { release } from '#monitoring/release.ts'

import { methodNotAllowed } from './-method-not-allowed.ts'

export const Route = createFileRoute('/healthz')({
  server: {
    handlers: {
      GET: () =>
        Response.json(
          { status: 'ok', release, environment: environmentFrom(process.env) },
          { headers: { 'cache-control': 'no-store' } },
        ),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
