import { createFileRoute } from '@tanstack/react-router'
import { requestViewer } from '#server/auth/access.functions.ts'
import { openFirstEvents } from '#server/console/project/setup.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'
import { signInNeeded } from './-sign-in-needed.ts'

/** Tells a page, by server-sent events, when the project has got its first event. */
export const Route = createFileRoute('/projects/$slug/first-event')({
  server: {
    middleware: [requestViewer],
    handlers: {
      GET: async ({ params, context }) => {
        const { services, viewer } = context
        if (viewer === undefined) return signInNeeded()
        const stream = await openFirstEvents(services, viewer, params.slug)
        if (stream === 'not_found') return Response.json({ detail: 'not found' }, { status: 404 })
        if (stream === 'too_many')
          return Response.json(
            { detail: 'ask again later' },
            { status: 503, headers: { 'retry-after': '30' } },
          )
        return new Response(stream, {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store, no-transform',
            // Proxies that gather answers would keep it until it ends.
            'x-accel-buffering': 'no',
          },
        })
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
