import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { getImportView } from './import-page.ts'

/** The import page; empty for users who may not import. */
export const fetchImport = signedInFn().handler(({ context }) =>
  getImportView(context.services, context.viewer),
)
