import { notFoundRouteStatus, type RootSpan } from './wire-event.ts'

/** Next.js's names of not-found pages, in the browser and (with a method) on the server. */
const notFoundName = /^(?:[A-Z]+ )?\/(?:404|_not-found)$/

/** True for a page or request that ended in 404: by its name, HTTP status, trace status, or our tag. */
export function isNotFoundTransaction(root: RootSpan): boolean {
  return (
    (typeof root.name === 'string' && notFoundName.test(root.name)) ||
    root.statusCode === 404 ||
    root.statusCode === '404' ||
    root.status === 'not_found' ||
    root.routeStatus === notFoundRouteStatus
  )
}
