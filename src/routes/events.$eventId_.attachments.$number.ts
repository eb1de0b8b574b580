import { createFileRoute } from '@tanstack/react-router'
import { requestViewer } from '#server/auth/access.functions.ts'
import { findAttachmentDownload } from '#server/console/downloads.ts'
import { answerDownload } from '#server/http/download-answer.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'
import { signInNeeded } from './-sign-in-needed.ts'

/** A file that came with an event, to save. */
export const Route = createFileRoute('/events/$eventId_/attachments/$number')({
  server: {
    middleware: [requestViewer],
    handlers: {
      GET: async ({ params, context }) => {
        const { services, viewer } = context
        if (viewer === undefined) return signInNeeded()
        return answerDownload(await findAttachmentDownload(services, viewer, params))
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
