import { createFileRoute } from '@tanstack/react-router'
import { requestViewer } from '#server/auth/access.functions.ts'
import { findEventDownload } from '#server/console/downloads.ts'
import { answerDownload } from '#server/http/download-answer.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'
import { signInNeeded } from './-sign-in-needed.ts'

/** An event as it is kept, to save. */
export const Route = createFileRoute('/events/$eventId_/json')({
  server: {
    middleware: [requestViewer],
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
