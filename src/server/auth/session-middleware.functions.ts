import { createMiddleware, createServerFn } from '@tanstack/react-start'
import { sendTo } from '#server/router.ts'

/** Paths for monitoring, answered even while the database is unavailable. They do not depend on the user. */
const pathsWithoutViewer = new Set(['/healthz', '/readyz', '/metrics'])

/** Identifies the user of a request for all later handlers: `context.viewer`, undefined without a session. */
export const requestViewer = createMiddleware().server(async ({ next, request, pathname, context }) => {
  const hasNone = pathsWithoutViewer.has(pathname)
  const viewer = hasNone ? undefined : await context.services.accounts.findViewer(request.headers)
  return next({ context: { viewer } })
})

/**
 * For handlers that only read: `context.services` reads from the replica, if there is one and the user has
 * not just made a change.
 */
export const requestReader = createMiddleware()
  .middleware([requestViewer])
  .server(async ({ next, request, context }) => {
    const { services, viewer } = context
    if (viewer === undefined) return next({ context: { services } })
    const reader = { userId: viewer.userId, cookie: request.headers.get('cookie') }
    return next({ context: { services: await services.reads.servicesFor(services, reader) } })
  })

/** Sets `context.viewer`, or redirects to the sign-in page. */
const signedIn = createMiddleware({ type: 'function' })
  .middleware([requestReader])
  .server(({ next, context }) => {
    const { viewer } = context
    if (viewer !== undefined) return next({ context: { viewer } })
    return sendTo('/login')
  })

/**
 * Every server function that returns data of an organization begins with it. The function itself checks
 * access: an object without access is not found. It only reads.
 */
export const signedInFn = createServerFn().middleware([signedIn])
