import { createServerFn } from '@tanstack/react-start'
import { appendResponseHeader, getRequestHeader } from '@tanstack/react-start/server'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { noticeCookieRemoval, parseNoticeCookie } from '#server/forms/notice-cookie.ts'
import { findPostedForm } from '#server/forms/posted-page.ts'
import { getShellView } from './shell.ts'

/** The common data of every page. Public; without a session it has no user. */
export const fetchShell = createServerFn({ method: 'GET' })
  .middleware([requestViewer])
  .handler(async ({ context }) => {
    const notice = parseNoticeCookie(getRequestHeader('cookie'), [
      actions.issueUndo.url,
      actions.upstream.url,
    ])
    if (notice !== undefined) appendResponseHeader('set-cookie', noticeCookieRemoval)
    const posted = findPostedForm()
    return {
      ...(await getShellView(context.services, context.viewer)),
      notice,
      posted,
    }
  })
