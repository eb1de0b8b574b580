import { createMiddleware } from '@tanstack/react-start'
import { sendTo } from '#server/doorway.ts'

/** For monitoring, which must get an answer while the database has none: they are the same for every user. */
const pathsWithoutViewer = new Set(['/healthz', '/readyz', '/metrics'])

/** Identifies the user of a request for all later handlers: `context.viewer`, undefined without a session. */
export const requestViewer = createMiddleware().server(async ({ next, request, pathname, context }) => {
  const hasNone = pathsWithoutViewer.has(pathname)
  const viewer = hasNone ? undefined : await context.services.accounts.findViewer(request.headers)
  return next({ context: { viewer } })
})

/**
 * For handlers that only read: `context.services` reads the replica, if there is one and the user has not
 * just changed something.
 */
export const requestReader = createMiddleware()
  .middleware([requestViewer])
  .server(async ({ next, request, context }) => {
    const { services, viewer } = context
    if (viewer === undefined) return next({ context: { services } })
    const reader = { userId: viewer.userId, cookie: request.headers.get('cookie') }
    return next({ context: { services: await services.reads.servicesFor(services, reader) } })
  })

/**
 * For every server function that returns data of an organization: `context.viewer` is set, or the
 * caller is sent to sign in. What the viewer may reach is the function's own question: an object out of reach
 * is not found. Such a function only reads.
 */
export const signedIn = createMiddleware({ type: 'function' })
  .middleware([requestReader])
  .server(({ next, context }) => {
    const { viewer } = context
    if (viewer !== undefined) return next({ context: { viewer } })
    return sendTo('/login')
  })
