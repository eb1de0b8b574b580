import { createMiddleware, getRouterInstance } from '@tanstack/react-start'
import { requestViewer } from '#server/auth/session-middleware.functions.ts'
import { redirectTo, toLocalPath } from '#server/forms/redirect.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page is public. Default: users without a session are redirected to the sign-in. */
    isPublic?: boolean
  }
}

/**
 * For the root route: redirects requests without a session to `/login`, and back afterwards; on an
 * installation without accounts to `/setup`, also from `/login`. Redirects signed-in users from `/login`. An
 * unknown address is 404 for all. Server routes check access themselves.
 */
export const pageAccess = createMiddleware()
  .middleware([requestViewer])
  .server(async ({ next, request, pathname, context }) => {
    if (context.viewer !== undefined) return leaveSignIn(request, pathname) ?? next()
    const router = await getRouterInstance()
    const [, params, route] = router.getMatchedRoutes(pathname)
    const isPage = route?.options.component !== undefined
    const hasHandlers = route?.options.server?.handlers !== undefined
    const isPublic = route?.options.staticData?.isPublic === true
    if ((isPublic && pathname !== '/login') || (hasHandlers && !isPage)) return next()
    // A URL without a page needs no sign-in. Requests for scripts and images get only the status.
    if (route === undefined || params['**'] !== undefined) {
      return request.headers.get('accept')?.includes('text/html') === true ? next() : unknownAddress()
    }
    const hasUsers = await context.services.accounts.hasUsers()
    if (isPublic && hasUsers) return next()
    const path = hasUsers ? loginPath(request.url) : '/setup'
    return new Response(null, { status: 303, headers: { location: path, 'cache-control': 'no-store' } })
  })

/** Where the sign-in page redirects a signed-in user, unless it shows a step or a rejected form. */
function leaveSignIn({ method, url }: Request, pathname: string): Response | undefined {
  const { searchParams } = new URL(url)
  if (pathname !== '/login' || method === 'POST' || searchParams.has('step')) return undefined
  return redirectTo(toLocalPath(searchParams.get('to') ?? undefined))
}

function unknownAddress(): Response {
  return new Response('not found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function loginPath(url: string): string {
  const { pathname, search } = new URL(url)
  const to = `${pathname}${search}`
  return to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`
}
