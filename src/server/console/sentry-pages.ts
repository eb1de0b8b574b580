/** The pages for Sentry's first segment below `/organizations/ORG/`. */
const pages = new Map([
  ['alerts', '/alerts'],
  ['crons', '/monitors'],
  ['feedback', '/issues?q=issue.category%3Afeedback'],
  ['insights', '/performance'],
  ['monitors', '/monitors'],
  ['performance', '/performance'],
  ['projects', '/projects'],
  ['releases', '/releases'],
  ['stats', '/outcomes'],
  ['traces', '/performance'],
])

/**
 * The page for a URL of Sentry's console, `/organizations/ORG/…`, which tools print as a link. The list of
 * issues for a URL without a counterpart. Segments stay percent-encoded.
 */
export function toPageOfSentry({ pathname, searchParams }: URL): string {
  const [page = '', id = '', part, partId = ''] = pathname.split('/').slice(3)
  // `traces/trace/ID`, `performance/trace/ID`, `explore/traces/trace/ID`
  const traceId = /\/trace\/([0-9a-f]{32})(?:\/|$)/.exec(pathname)?.[1]
  if (traceId !== undefined) return `/traces/${traceId}`
  const eventId = /^(?:[^:]*(?::|%3A))?([0-9a-f]{32})$/i.exec(page === 'discover' ? id : partId)?.[1]
  if (page === 'discover' && eventId !== undefined) return `/events/${eventId}`
  if (page === 'issues' && id !== '')
    return part === 'events' && eventId !== undefined ? `/events/${eventId}` : `/issues/${id}`
  if ((page === 'releases' || page === 'projects') && id !== '') return `/${page}/${id}`
  const query = searchParams.get('query')
  if (page === 'issues' && query) return `/issues?q=${encodeURIComponent(query)}`
  return pages.get(page) ?? '/issues'
}
