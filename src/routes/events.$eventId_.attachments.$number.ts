import { createFileRoute } from '@tanstack/react-router'
import { findAttachmentDownload } from '#server/console/downloads.ts'
import { answerDownload } from '#server/http/download-answer.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'

/** A file that came with an event, to save. */
export const Route = createFileRoute('/events/$eventId_/attachments/$number')({
  server: {
    handlers: {
      GET: async ({ params, context }) =>
        answerDownload(await findAttachmentDownload(context.services, params)),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
