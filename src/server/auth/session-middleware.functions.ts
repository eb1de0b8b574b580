import { createMiddleware } from '@tanstack/react-start'
import { sendTo } from '#server/doorway.ts'

/** Identifies the user of a request for all later handlers: `context.viewer`, undefined without a session. */
export const requestViewer = createMiddleware().server(async ({ next, request, context }) =>
  next({ context: { viewer: await context.services.accounts.findViewer(request.headers) } }),
)

/**
 * For every server function that answers with something of an organization: `context.viewer` is there, or the
 * caller is sent to sign in. What the viewer may reach is the function's own question: an object out of reach
 * is not found.
 */
export const signedIn = createMiddleware({ type: 'function' })
  .middleware([requestViewer])
  .server(({ next, context }) => {
    const { viewer } = context
    if (viewer !== undefined) return next({ context: { viewer } })
    return sendTo('/login')
  })
