import { createMiddleware, getRouterInstance } from '@tanstack/react-start'
import { methodNotAllowed } from './-method-not-allowed.ts'

/**
 * For the root route: pages are read and nothing else. Without it Start renders the page for any method, and a client
 * takes that for success. Server routes say themselves what they allow.
 */
export const pageMethods = createMiddleware().server(async ({ next, request, pathname }) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next()
  return (await isServerRoute(pathname)) ? next() : methodNotAllowed('GET, HEAD')()
})

async function isServerRoute(pathname: string): Promise<boolean> {
  const router = await getRouterInstance()
  const [, params, route] = router.getMatchedRoutes(pathname)
  return params['**'] === undefined && route?.options.server?.handlers !== undefined
}
