import { createMiddleware, getRouterInstance } from '@tanstack/react-start'
import { findPageForms } from '#server/console/forms/form-registry.ts'
import { methodNotAllowed } from './method-not-allowed.ts'

/**
 * For the root route: pages accept GET and HEAD, and POST if they have a form. Without it Start renders the
 * page for any method, which clients treat as success. Server routes have their own methods.
 */
export const pageMethods = createMiddleware().server(async ({ next, request, pathname }) => {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return next()
  const hasForms = findPageForms(pathname) !== undefined
  if (hasForms && method === 'POST') return next()
  const handlers = [...(await listHandlers(pathname)), ...(hasForms ? ['POST'] : [])]
  if (handlers.includes(method) || handlers.includes('ANY')) return next()
  return methodNotAllowed([...new Set(['GET', 'HEAD', ...handlers])].join(', '))()
})

/** The methods for which the route of a path has handlers. */
async function listHandlers(pathname: string): Promise<string[]> {
  const router = await getRouterInstance()
  const [, params, route] = router.getMatchedRoutes(pathname)
  const handlers: unknown = route?.options.server?.handlers
  const hasHandlers = params['**'] === undefined && typeof handlers === 'object' && handlers !== null
  return hasHandlers ? Object.keys(handlers) : []
}
