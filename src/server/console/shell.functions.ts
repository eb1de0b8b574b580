import { createServerFn } from '@tanstack/react-start'
import { requestViewer } from '#server/auth/access.functions.ts'
import { getShellView } from './shell.ts'

/** What every page needs besides its own data. For anybody: who is not signed in gets no name back. */
export const fetchShell = createServerFn({ method: 'GET' })
  .middleware([requestViewer])
  .handler(({ context }) => getShellView(context.services, context.viewer))
