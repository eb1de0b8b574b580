import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { signInNeeded } from '#routes/-frame/sign-in-needed.ts'
import { requestReader } from '#server/auth/session-middleware.functions.ts'
import { findEventDownload } from '#server/console/events/downloads.ts'
import { answerDownload } from '#server/http/answer/download-answer.ts'

/** A stored event as JSON, to download. */
export const Route = createFileRoute('/events/$eventId_/json')({
  server: {
    middleware: [requestReader],
    handlers: {
      GET: async ({ params, context }) => {
        const { services, viewer } = context
        if (viewer === undefined) return signInNeeded()
        return answerDownload(await findEventDownload(services, viewer, params.eventId))
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
