import type { IngestTarget } from '#server/ingest/ingest-request.ts'
import { appConfig } from '../../../app.config.ts'

const sdkPath = /^\/api\/(?:([^/]+)\/)?(envelope|store|security|csp-report)\/?$/
const attachmentsPath = /^\/api\/([^/]+)\/events\/([^/]+)\/attachments\/?$/
const cronPath = /^\/api\/([^/]+)\/cron\/([^/]+)(?:\/([^/]+))?\/?$/
const pingPath = /^\/ping\/([^/]+)\/([^/]+)(?:\/(start|fail|log|\d{1,3}))?\/?$/
const unsupportedPath = /^\/api\/([^/]+)\/(?:minidump|unreal\/[^/]+|nel|(?:integration\/)?otlp\/v1\/logs)\/?$/
const otlpPath = /^\/api\/([^/]+)\/(?:integration\/)?otlp\/v1\/traces\/?$/

/**
 * Finds the ingest endpoint of a normalized path; undefined for other paths. The trailing slash may be
 * missing, because SDKs do not follow redirects. `tunnelPath`: the configured path of the tunnel.
 */
export function findIngestTarget(
  path: string,
  tunnelPath: string = appConfig.tunnelPath,
): IngestTarget | undefined {
  if (path === tunnelPath || path === `${tunnelPath}/`) return { route: 'tunnel' }
  if (path.startsWith('/ping/')) return findPingTarget(path)
  if (!path.startsWith('/api/')) return undefined
  const [, project, route] = sdkPath.exec(path) ?? []
  if (route === 'store') return project === undefined ? { route } : { route, project }
  if (project === undefined) return findOtherTarget(path)
  return { route: route === 'envelope' ? 'envelope' : 'security', project }
}

const reportDialogPath = /^\/api\/embed\/error-page\/?$/

function findOtherTarget(path: string): IngestTarget | undefined {
  if (reportDialogPath.test(path)) return { route: 'report-dialog' }
  const [, project, eventId] = attachmentsPath.exec(path) ?? []
  if (project !== undefined && eventId !== undefined) return { route: 'attachments', project, eventId }
  const [, cronProject, slug, publicKey] = cronPath.exec(path) ?? []
  if (cronProject !== undefined && slug !== undefined)
    return { route: 'cron', project: cronProject, slug: decodePart(slug), publicKey }
  const [, otlpProject] = otlpPath.exec(path) ?? []
  if (otlpProject !== undefined) return { route: 'otlp-traces', project: otlpProject }
  const [, otherProject] = unsupportedPath.exec(path) ?? []
  return otherProject === undefined ? undefined : { route: 'unsupported', project: otherProject }
}

/** The URLs of healthchecks.io, with the key of a project. */
function findPingTarget(path: string): IngestTarget | undefined {
  const [, publicKey, slug, verb] = pingPath.exec(path) ?? []
  if (publicKey === undefined || slug === undefined) return undefined
  return { route: 'ping', publicKey, slug: decodePart(slug), verb }
}

/** An invalid escape is left unchanged. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
