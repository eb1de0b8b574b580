import { parseDsn, type Dsn } from '#protocol/dsn.ts'
import { builtInProjectId } from '#server/first-projects.ts'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'
import { createUpstream, type NewUpstream, type UpstreamKinds } from '#server/store/upstreams/upstreams.ts'

/** An upstream as entered, or configured in the environment. */
export interface UpstreamInput {
  projectId: number
  dsn: string
  organization?: string
  region?: string
  /** HOST:PORT */
  connect?: string
  kinds?: UpstreamKinds
  source?: NewUpstream['source']
}

/**
 * The id, or an error message with the solution. `takenBy`: another project has the DSN. The message does not
 * name it, because the user may have no access to it.
 */
export type AddedUpstream =
  | { ok: true; upstreamId: string }
  | { ok: false; problem: string; takenBy?: number }

/** Adds an upstream. `publicOrigin`: of this Culvert. */
export async function addUpstream(
  store: Store,
  input: UpstreamInput,
  publicOrigin: string,
): Promise<AddedUpstream> {
  const parsed = parseUpstream(input, publicOrigin)
  if (!parsed.ok) return parsed
  const created = await createUpstream(store, parsed.upstream)
  if (created.outcome === 'created') return { ok: true, upstreamId: created.upstreamId }
  if (created.outcome === 'full')
    return reject(`A project has ${limits.upstreamsPerProject} upstreams at most. Remove one first.`)
  if (created.by === input.projectId) return reject('The project forwards to this DSN already.')
  return {
    ...reject(
      'Another project forwards to this DSN already, and the tunnel finds the project by the DSN. Create another key in the target project, and enter its DSN.',
    ),
    takenBy: created.by,
  }
}

function parseUpstream(
  input: UpstreamInput,
  publicOrigin: string,
): { ok: true; upstream: NewUpstream } | { ok: false; problem: string } {
  const { projectId, organization, region, connect, kinds, source } = input
  const dsn = parseDsn(input.dsn)
  const problem =
    findDsnProblem(dsn, publicOrigin) ??
    findAddressProblem(organization, region) ??
    findConnectProblem(connect)
  if (dsn === undefined || problem !== undefined) return reject(problem ?? '')
  if (projectId === builtInProjectId)
    return reject("Culvert's own errors are not forwarded: a failure to forward would create another report.")
  return {
    ok: true,
    upstream: {
      projectId,
      dsn,
      organization,
      region,
      connect,
      kinds,
      source,
    },
  }
}

function findDsnProblem(dsn: Dsn | undefined, publicOrigin: string): string | undefined {
  const url = dsn && URL.parse(`${dsn.protocol}://${dsn.host}`)
  if (dsn === undefined || !url)
    return 'This is not a DSN. A DSN looks like https://KEY@o4507.ingest.us.sentry.io/42; copy it from the settings of the target project.'
  if (url.host === URL.parse(publicOrigin)?.host)
    return 'This DSN belongs to this Culvert. Enter the DSN of another server.'
  return undefined
}

function findAddressProblem(organization?: string, region?: string): string | undefined {
  if (organization !== undefined && !/^[0-9]{1,20}$/.test(organization))
    return 'The organization must be 1 to 20 digits: the o of the tunnel address.'
  if (region !== undefined && (!/^[a-z]{2}$/.test(region) || organization === undefined))
    return 'The region must be two lower-case letters, and needs an organization: the r of the tunnel address.'
  return undefined
}

function findConnectProblem(connect: string | undefined): string | undefined {
  if (connect === undefined) return undefined
  const url = URL.parse(`http://${connect}`)
  const isAddress = url !== null && /:[0-9]{1,5}$/.test(connect) && !/[/?#@]/.test(connect)
  return isAddress ? undefined : 'The address to connect to must be HOST:PORT. Example: 10.0.0.7:3128'
}

function reject(problem: string): { ok: false; problem: string } {
  return { ok: false, problem }
}
