import type { IngestTarget } from '#server/ingest/ingest-request.ts'
import { appConfig } from '../../../app.config.ts'

/** A request target cut at the question mark. */
export interface SplitTarget {
  path: string
  /** Without the question mark; empty when there is none. */
  query: string
}

/** Splits a request target without building a URL: that would cost more than the rest of the routing. */
export function splitTarget(target: string): SplitTarget {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

const sdkPath = /^\/api\/(?:([^/]+)\/)?(envelope|store|security|csp-report)\/?$/
const attachmentsPath = /^\/api\/([^/]+)\/events\/([^/]+)\/attachments\/?$/
const unsupportedPath =
  /^\/api\/[^/]+\/(?:minidump|unreal\/[^/]+|cron\/[^/]+(?:\/[^/]+)?|nel|(?:integration\/)?otlp\/v1\/(?:logs|traces))\/?$/

/**
 * Finds the ingest endpoint a path names; undefined for everything else. Repeated slashes count as one, because a DSN
 * with a path that ends in a slash makes them, and the slash at the end may be missing: SDKs do not follow redirects.
 * `tunnelPath` is the tunnel's, if it is not where it ships.
 */
export function findIngestTarget(
  path: string,
  tunnelPath: string = appConfig.tunnelPath,
): IngestTarget | undefined {
  const folded = path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path
  if (folded === tunnelPath || folded === `${tunnelPath}/`) return { route: 'tunnel' }
  if (!folded.startsWith('/api/')) return undefined
  const [, project, route] = sdkPath.exec(folded) ?? []
  if (route === 'store') return project === undefined ? { route } : { route, project }
  if (project === undefined) return findOtherTarget(folded)
  return { route: route === 'envelope' ? 'envelope' : 'security', project }
}

const reportDialogPath = /^\/api\/embed\/error-page\/?$/

function findOtherTarget(path: string): IngestTarget | undefined {
  if (reportDialogPath.test(path)) return { route: 'report-dialog' }
  const [, project, eventId] = attachmentsPath.exec(path) ?? []
  if (project !== undefined && eventId !== undefined) return { route: 'attachments', project, eventId }
  return unsupportedPath.test(path) ? { route: 'unsupported' } : undefined
}
