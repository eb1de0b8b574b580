import type { EnvelopeHeader } from '#protocol/envelope.ts'
import { authorize, parseEnvelopeDsn, type ProjectResult } from './authenticate.ts'
import { refusal, rejectedProject, type IngestAnswer } from './ingest-answer.ts'
import type { ProjectKeys } from './project-keys.ts'

/** What the tunnel looks at before the body. */
export interface TunnelRequest {
  query: string
  header: (name: string) => string | undefined
}

export interface TunnelServices {
  projectKeys: ProjectKeys
  publicOrigin: string
}

/** Where the query leads; `authorize` is then asked with the envelope's header. */
export type TunnelResult =
  | { ok: true; authorize: (header: EnvelopeHeader) => Promise<ProjectResult> }
  | { ok: false; answer: IngestAnswer }

/** The one organization of an installation. */
const organizationId = 1

const digits = /^[0-9]{1,20}$/

const badDestination = refusal(400, 'o and p must each be given once, as 1 to 20 digits')
const foreignOrigin = refusal(403, 'the tunnel takes envelopes from its own pages only')

/**
 * Finds the project that `o` and `p` of a tunnel request name. It is looked up among the stored ones and never built
 * into an address, so the tunnel can be pointed nowhere else. Without `o` and `p` the envelope's own DSN decides. In
 * both cases that DSN must name the project, and one of its active keys.
 */
export async function authorizeTunnel(
  services: TunnelServices,
  request: TunnelRequest,
): Promise<TunnelResult> {
  if (!isOwnOrigin(services.publicOrigin, request.header)) return { ok: false, answer: foreignOrigin }
  const destination = parseDestination(request.query)
  if (destination === 'malformed') return { ok: false, answer: badDestination }
  if (destination !== 'from_dsn') {
    const isStored =
      destination.region === undefined &&
      Number(destination.organization) === organizationId &&
      (await services.projectKeys.findOfProject(Number(destination.project))) !== undefined
    if (!isStored) return { ok: false, answer: rejectedProject }
  }
  return {
    ok: true,
    async authorize(header) {
      const dsn = parseEnvelopeDsn(header)
      if (!dsn.ok) return { ok: false, answer: rejectedProject }
      const isSame = destination === 'from_dsn' || Number(dsn.projectId) === Number(destination.project)
      if (!isSame) return { ok: false, answer: rejectedProject }
      return authorize(services.projectKeys, dsn.publicKey, dsn.projectId)
    },
  }
}

interface Destination {
  organization: string
  project: string
  region?: string
}

function parseDestination(query: string): Destination | 'from_dsn' | 'malformed' {
  const parameters = new URLSearchParams(query)
  const organizations = parameters.getAll('o')
  const projects = parameters.getAll('p')
  const regions = parameters.getAll('r')
  if (organizations.length + projects.length + regions.length === 0) return 'from_dsn'
  const [organization] = organizations
  const [project] = projects
  const [region] = regions
  if (organizations.length !== 1 || organization === undefined || !digits.test(organization))
    return 'malformed'
  if (projects.length !== 1 || project === undefined || !digits.test(project)) return 'malformed'
  if (regions.length > 1 || (region !== undefined && !/^[a-z]{2}$/.test(region))) return 'malformed'
  return { organization, project, ...(region !== undefined && { region }) }
}

/**
 * True when the page that sends is ours. Browsers put `Origin` on every POST; a request without one comes from no page,
 * unless its `Sec-Fetch-Site` says that it does.
 */
function isOwnOrigin(publicOrigin: string, header: (name: string) => string | undefined): boolean {
  const origin = header('origin')
  if (origin === undefined) {
    const site = header('sec-fetch-site')
    return site === undefined || site === 'same-origin' || site === 'none'
  }
  if (origin === publicOrigin) return true
  const host = header('host')
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}
