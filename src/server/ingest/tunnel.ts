import { formatDsn, parseDsn, type Dsn } from '#protocol/dsn.ts'
import type { EnvelopeHeader } from '#protocol/envelope.ts'
import { matchesOrigin, parseOriginPattern } from '#server/filter/origin-pattern.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { isProjectOf, parsePublicKey } from './authenticate.ts'
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

/** The upstream in `o`, `p` and `r`; `from_dsn` if these are missing and the envelope's DSN decides. */
export type TunnelAddress = { organization: string; project: string; region?: string } | 'from_dsn'

/** The project of an envelope; `upstreamId` if the envelope was addressed to one of its upstreams. */
export interface TunnelDestination {
  key: ProjectKey
  upstreamId?: string
}

/**
 * The destination of an envelope, and the origin of the sending page if that is another one; or the
 * rejection, with the project if it is known.
 */
export type DestinationResult =
  | { ok: true; destination: TunnelDestination; listedOrigin?: string }
  | { ok: false; answer: IngestAnswer; projectId?: number; namedProject?: string }

/** The organization of projects that are stored in Culvert. */
const ownOrganization = '1'

const digits = /^[0-9]{1,20}$/

const addressName = /^[opr]$/
/** Includes `O`, `p[]`, ` r` and `?o`. */
const likeAddressName = /^[\s?]*[opr]\s*(?:\[.*)?$/i

/** The answer to a query that no SDK would send. It reveals nothing about the installation. */
export const malformedTunnelAddress = rejectWhole(
  'project_id',
  400,
  'o and p must each be given once, as 1 to 20 digits, and r at most once, as two lower-case letters',
)

/**
 * The same answer for an unknown destination, a contradicting DSN, a wrong or disabled key and a page whose
 * origin is not listed, so that guessing reveals no difference.
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

/** A misspelled parameter must not fall back to the envelope's DSN. */
function isMiswritten(name: string): boolean {
  return !addressName.test(name) && likeAddressName.test(name)
}

/**
 * Finds the project of a tunnel request. Address and DSN are looked up among the stored projects and their
 * upstreams, and never built into a URL, so the tunnel cannot send data anywhere else. Both must refer to the
 * same entry.
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
  const { isOn } = settings.intake
  if (isOn && isOwnPage(services.publicOrigin, request)) return { ok: true, destination }
  const listedOrigin = isOn ? findListedOrigin(request, settings.allowedOrigins) : undefined
  if (listedOrigin !== undefined) return { ok: true, destination, listedOrigin }
  await lookUpUnknownKey(services.projectKeys)
  return { ok: false, answer: isOn ? unlistedOrigin : disabledProject, projectId }
}

/** The lookup of an unknown key can take longer: the timing must not reveal whether a key exists. */
async function lookUpUnknownKey(projectKeys: ProjectKeys): Promise<void> {
  await projectKeys.find('')
}

/** Counts the request for the project in the DSN, if the DSN is one of this server. */
function reject(
  answer: IngestAnswer,
  { publicOrigin }: TunnelServices,
  dsn: Dsn | undefined,
): DestinationResult {
  const isOwnDsn = dsn !== undefined && dsn.host === URL.parse(publicOrigin)?.host
  return { ok: false, answer, ...(isOwnDsn && { namedProject: dsn.projectId }) }
}

/** The project of this server in `o` and `p`, as it is written there. */
export function findOwnProject(address: TunnelAddress): string | undefined {
  if (address === 'from_dsn' || address.organization !== ownOrganization) return undefined
  return address.project
}

/**
 * The same response, readable by a page whose origin a project lists: without CORS headers its SDK could read
 * neither status nor limits, and would count accepted items as lost. Rejections are never readable.
 */
export function openTo(answer: IngestAnswer, listedOrigin: string | undefined): IngestAnswer {
  if (listedOrigin === undefined) return answer
  return withReadableHeaders(answer, { 'access-control-allow-origin': listedOrigin, vary: 'origin' })
}

/**
 * A 429 that concerns this server and not a destination, readable by every page: an SDK that cannot read the
 * status continues to send and counts its items as lost. At this point it is unknown whether a project lists
 * the page.
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
  const publicKey = dsn && parsePublicKey(dsn.publicKey)
  const key = publicKey === undefined ? undefined : await projectKeys.find(publicKey)
  if (dsn !== undefined && key !== undefined && isOwn(key, address, dsn)) return { key }
  if (key !== undefined || publicKey === undefined) await lookUpUnknownKey(projectKeys)
  // Another process may have added the upstream, which is cached by now.
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
  if (!key.isActive || !isProjectOf(key, dsn.projectId)) return false
  if (address === 'from_dsn') return true
  const { organization, project, region } = address
  return organization === ownOrganization && project === dsn.projectId && region === undefined
}

/**
 * True if the sending page belongs to this server. Browsers add `Origin` to every POST; a request without it
 * is not from a page, unless its `Sec-Fetch-Site` says so.
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
 * The origin of the page, if the project lists it; a project that accepts events from any page lists none.
 */
function findListedOrigin({ header }: TunnelRequest, allowedOrigins: readonly string[]): string | undefined {
  const origin = header('origin')
  if (origin === undefined) return undefined
  const listed = allowedOrigins.map(parseOriginPattern).filter(({ domain }) => domain !== undefined)
  return matchesOrigin(origin, listed) ? origin : undefined
}
