import { formatDsn, parseDsn, type Dsn } from '#protocol/dsn.ts'
import type { EnvelopeHeader } from '#protocol/envelope.ts'
import { matchesOrigin, parseOriginPattern } from '#server/filter/origin-pattern.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { rejectedAnswer, rejectWhole, withRejection, type IngestAnswer } from './ingest-answer.ts'
import type { ProjectKeys } from './project-keys.ts'

/** The parts of a tunnel request outside the envelope. */
export interface TunnelRequest {
  query: string
  header: (name: string) => string | undefined
}

export interface TunnelServices {
  projectKeys: ProjectKeys
  publicOrigin: string
}

/** What `o`, `p` and `r` name; `from_dsn` when they are not there and the envelope's own DSN decides. */
export type TunnelAddress = { organization: string; project: string; region?: string } | 'from_dsn'

/** The project that an envelope is for; `upstreamId` when it was addressed to an upstream of it. */
export interface TunnelDestination {
  key: ProjectKey
  upstreamId?: string
}

/**
 * The destination of an envelope, and the origin of the sending page if it is not ours; or the rejection,
 * with the project if it is known.
 */
export type DestinationResult =
  | { ok: true; destination: TunnelDestination; listedOrigin?: string }
  | { ok: false; answer: IngestAnswer; projectId?: number; namedProject?: string }

/** The organization in the addresses of projects that are stored here. */
const ownOrganization = '1'

const digits = /^[0-9]{1,20}$/

const addressName = /^[opr]$/
/** Also `O`, `p[]`, ` r` and `?o`. */
const likeAddressName = /^[\s?]*[opr]\s*(?:\[.*)?$/i

/** The answer for a query that no SDK would send. It reveals nothing about the installation. */
export const malformedTunnelAddress = rejectWhole(
  'project_id',
  400,
  'o and p must each be given once, as 1 to 20 digits, and r at most once, as two lower-case letters',
)

/**
 * One answer, byte for byte, for an unknown destination, a DSN that does not agree with it, a wrong or
 * switched-off key and a page whose origin is not listed: who tries learns nothing from the difference.
 */
const rejectedByTunnel = rejectedAnswer(
  403,
  'the tunnel has no such destination for this page: o, p, r and the DSN must name one, and the page’s origin must be its own or listed by the project',
)
const unknownDestination = withRejection(
  rejectedByTunnel,
  'project_id',
  'the tunnel has no such destination: unknown or disabled key, or o, p, r and the DSN disagree',
)
const disabledProject = withRejection(rejectedByTunnel, 'project_state', 'the project is disabled')
const unlistedOrigin = withRejection(
  rejectedByTunnel,
  'cors',
  'tunnel: the origin of the page is not listed by the project',
)

/** Parses the query of a tunnel request; undefined when it is malformed. Other parameters are ignored. */
export function parseTunnelAddress(query: string): TunnelAddress | undefined {
  // Without the prefix, a leading question mark would be removed as a query delimiter.
  const parameters = new URLSearchParams(`&${query}`)
  if ([...parameters.keys()].some(isMiswritten)) return undefined
  const organizations = parameters.getAll('o')
  const projects = parameters.getAll('p')
  const regions = parameters.getAll('r')
  if (organizations.length + projects.length + regions.length === 0) return 'from_dsn'
  const [organization] = organizations
  const [project] = projects
  const [region] = regions
  if (organizations.length !== 1 || organization === undefined || !digits.test(organization)) return undefined
  if (projects.length !== 1 || project === undefined || !digits.test(project)) return undefined
  if (regions.length > 1 || (region !== undefined && !/^[a-z]{2}$/.test(region))) return undefined
  return { organization, project, region }
}

/** Who writes a name of the address otherwise means one, and must not get what only the envelope names. */
function isMiswritten(name: string): boolean {
  return !addressName.test(name) && likeAddressName.test(name)
}

/**
 * Finds the project that a tunnel request is for. Address and DSN are looked up among the stored projects and
 * their upstreams, and never built into an address, so the tunnel can be pointed nowhere else. Both must name
 * the same entry.
 */
export async function findTunnelDestination(
  services: TunnelServices,
  request: TunnelRequest & { address: TunnelAddress },
  envelopeHeader: EnvelopeHeader,
): Promise<DestinationResult> {
  const dsn = envelopeHeader.dsn === undefined ? undefined : parseDsn(envelopeHeader.dsn)
  const destination = await lookUp(services.projectKeys, request.address, dsn)
  if (destination === undefined) return reject(unknownDestination, services, dsn)
  const { projectId, settings } = destination.key
  if (!settings.intake.isOn) return { ok: false, answer: disabledProject, projectId }
  if (isOwnPage(services.publicOrigin, request)) return { ok: true, destination }
  const listedOrigin = findListedOrigin(request, settings.allowedOrigins)
  return listedOrigin === undefined
    ? { ok: false, answer: unlistedOrigin, projectId }
    : { ok: true, destination, listedOrigin }
}

/** Counted for the project that the DSN names, where the DSN is one of this server. */
function reject(
  answer: IngestAnswer,
  { publicOrigin }: TunnelServices,
  dsn: Dsn | undefined,
): DestinationResult {
  const isOwnDsn = dsn !== undefined && dsn.host === URL.parse(publicOrigin)?.host
  return { ok: false, answer, ...(isOwnDsn && { namedProject: dsn.projectId }) }
}

/** The project of this server that `o` and `p` name, as it is written there. */
export function findOwnProject(address: TunnelAddress): string | undefined {
  if (address === 'from_dsn' || address.organization !== ownOrganization) return undefined
  return address.project
}

/**
 * The same response, readable by the page that a project lists: without CORS headers its SDK could read
 * neither status nor limits, and would count accepted items as lost. Rejections are never readable.
 */
export function openTo(answer: IngestAnswer, listedOrigin: string | undefined): IngestAnswer {
  if (listedOrigin === undefined) return answer
  return withReadableHeaders(answer, { 'access-control-allow-origin': listedOrigin, vary: 'origin' })
}

/**
 * A 429 about this server and not about a destination, readable by every page: an SDK that cannot read the
 * status continues to send and counts its items as lost. It is not known yet whether a project lists the
 * page.
 */
export function openToAll(answer: IngestAnswer): IngestAnswer {
  return withReadableHeaders(answer, { 'access-control-allow-origin': '*' })
}

function withReadableHeaders(answer: IngestAnswer, cors: Readonly<Record<string, string>>): IngestAnswer {
  const exposed = { 'access-control-expose-headers': 'x-sentry-rate-limits, retry-after' }
  return { ...answer, headers: { ...answer.headers, ...cors, ...exposed } }
}

async function lookUp(
  projectKeys: ProjectKeys,
  address: TunnelAddress,
  dsn: Dsn | undefined,
): Promise<TunnelDestination | undefined> {
  const found = dsn && (await findUpstream(projectKeys, address, dsn))
  if (found !== undefined) return found
  const key = dsn && (await projectKeys.find(dsn.publicKey.toLowerCase()))
  if (dsn !== undefined && key !== undefined && isOwn(key, address, dsn)) return { key }
  // The lookup of an unknown key can take longer: the timing must not reveal whether a key exists.
  if (key !== undefined || dsn === undefined) await projectKeys.find('')
  // Another process may have added the upstream, which is known by now.
  return dsn && findUpstream(projectKeys, address, dsn)
}

async function findUpstream(
  projectKeys: ProjectKeys,
  address: TunnelAddress,
  dsn: Dsn,
): Promise<TunnelDestination | undefined> {
  const text = formatDsn(dsn)
  const key = await projectKeys.findOfUpstream(text)
  const upstream = key?.upstreams.find((each) => formatDsn(each.dsn) === text)
  if (key === undefined || upstream === undefined || upstream.isRetired) return undefined
  const isNamed =
    address === 'from_dsn' ||
    (address.organization === upstream.organization &&
      address.project === upstream.dsn.projectId &&
      address.region === upstream.region)
  return isNamed ? { key, upstreamId: upstream.upstreamId } : undefined
}

function isOwn(key: ProjectKey, address: TunnelAddress, dsn: Dsn): boolean {
  if (!key.isActive || String(key.projectId) !== dsn.projectId) return false
  if (address === 'from_dsn') return true
  const { organization, project, region } = address
  return organization === ownOrganization && project === dsn.projectId && region === undefined
}

/**
 * True when the sending page is ours. Browsers add `Origin` to every POST; a request without it is not from a
 * page, unless its `Sec-Fetch-Site` says so.
 */
function isOwnPage(publicOrigin: string, { header }: TunnelRequest): boolean {
  const origin = header('origin')
  if (origin === undefined) {
    const site = header('sec-fetch-site')
    return site === undefined || site === 'same-origin' || site === 'none'
  }
  const host = header('host')
  if (origin === publicOrigin) return true
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/**
 * The origin of the page, where the project lists it; a project that takes events from any page lists none.
 */
function findListedOrigin({ header }: TunnelRequest, allowedOrigins: readonly string[]): string | undefined {
  const origin = header('origin')
  if (origin === undefined) return undefined
  const listed = allowedOrigins.map(parseOriginPattern).filter(({ domain }) => domain !== undefined)
  return matchesOrigin(origin, listed) ? origin : undefined
}
