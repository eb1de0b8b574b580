import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { answerBackupUpload } from '#server/console/imports/upload.ts'

/** Receives the backup of another tracker. */
export const Route = createFileRoute('/settings/import_/upload')({
  server: {
    middleware: [requestViewer],
    handlers: {
      POST: ({ request, context: { services, viewer } }) => answerBackupUpload(services, viewer, request),
      ANY: methodNotAllowed('POST'),
    },
  },
})
