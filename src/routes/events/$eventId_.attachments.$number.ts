import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { signInNeeded } from '#routes/-frame/sign-in-needed.ts'
import { requestReader } from '#server/auth/session-middleware.functions.ts'
import { findAttachmentDownload } from '#server/console/events/downloads.ts'
import { answerDownload } from '#server/http/answer/download-answer.ts'

/** An attachment of an event, as a download. */
export const Route = createFileRoute('/events/$eventId_/attachments/$number')({
  server: {
    middleware: [requestReader],
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
