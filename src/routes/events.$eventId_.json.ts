import { createFileRoute } from '@tanstack/react-router'
import { findEventDownload } from '#server/console/downloads.ts'
import { answerDownload } from '#server/http/download-answer.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'

/** An event as it is kept, to save. */
export const Route = createFileRoute('/events/$eventId_/json')({
  server: {
    handlers: {
      GET: async ({ params, context }) =>
        answerDownload(await findEventDownload(context.services, params.eventId)),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
