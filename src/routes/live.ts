import { createFileRoute } from '@tanstack/react-router'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { openLiveStream } from '#server/console/issues/live.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'
import { signInNeeded } from './-frame/sign-in-needed.ts'

/** Reports new and reopened issues to open pages by server-sent events. */
export const Route = createFileRoute('/live')({
  server: {
    middleware: [requestViewer],
    handlers: {
      GET: ({ context, request }) => {
        const { services, viewer } = context
        if (viewer === undefined) return signInNeeded()
        const stream = openLiveStream(services, viewer, request.headers)
        if (stream === undefined) {
          return Response.json(
            { detail: 'Too many pages are open. Try again later.' },
            { status: 503, headers: { 'retry-after': '30' } },
          )
        }
        return new Response(stream, {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store, no-transform',
            // A proxy that buffers responses would hold the stream until it ends.
            'x-accel-buffering': 'no',
          },
        })
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
