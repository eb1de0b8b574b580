import { createServerFn } from '@tanstack/react-start'
import { appendResponseHeader, getRequestHeader } from '@tanstack/react-start/server'
import { requestViewer } from '#server/auth/access.functions.ts'
import { undoAction } from '#server/console/issues/actions.functions.ts'
import { setUpstream } from '#server/console/tunnel/tunnel.functions.ts'
import { noticeCookieRemoval, parseNoticeCookie } from '#server/forms/notice-cookie.ts'
import { findPostedForm } from '#server/forms/posted-page.ts'
import { getShellView } from './shell.ts'

/** What every page needs besides its own data. For anybody: who is not signed in gets no name back. */
export const fetchShell = createServerFn({ method: 'GET' })
  .middleware([requestViewer])
  .handler(({ context }) => {
    const notice = parseNoticeCookie(getRequestHeader('cookie'), [undoAction.url, setUpstream.url])
    if (notice !== undefined) appendResponseHeader('set-cookie', noticeCookieRemoval)
    const posted = findPostedForm()
    return {
      ...getShellView(context.services, context.viewer),
      ...(notice !== undefined && { notice }),
      ...(posted !== undefined && { posted }),
    }
  })
