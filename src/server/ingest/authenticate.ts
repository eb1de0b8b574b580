import { parseAuthHeader, parseBasicKey } from '#protocol/auth.ts'
import { parseDsn } from '#protocol/dsn.ts'
import type { EnvelopeHeader } from '#protocol/envelope.ts'
import type { ProjectKey } from '#server/store/projects/projects.ts'
import { rejectedProject, rejectWhole, withRejection, type IngestAnswer } from './ingest-answer.ts'
import type { ProjectKeys } from './project-keys.ts'
import { queryValues } from './query-values.ts'

/** The key of a request: 32 lower-case hex digits; undefined when neither query nor headers contain one. */
export type CredentialsResult =
  | { ok: true; publicKey: string | undefined }
  | { ok: false; answer: IngestAnswer }

/** Newer protocol versions are rejected; SDKs send 7, or less if they are old. */
const newestVersion = 7

/** The rejection of a request without a key. */
export const missingKey = rejectWhole('auth_client', 401, 'missing authorization information')
/** The rejection of a self-authenticating envelope whose header line is unreadable. */
export const badEnvelopeKey = rejectWhole('auth_client', 401, 'bad envelope authentication header')
const several = rejectWhole('auth_client', 401, 'multiple authorization payloads detected')
const badKey = rejectWhole('auth_client', 400, 'bad sentry DSN public key')
const badVersion = rejectWhole('auth_version', 400, 'unsupported protocol version')
const badProject = rejectWhole('project_id', 400, 'bad project path parameter')
const unknownKey = withRejection(rejectedProject, 'project_id', 'unknown key')
const disabledKey = withRejection(rejectedProject, 'project_id', 'disabled key')
const otherKey = withRejection(rejectedProject, 'project_id', 'key of another project')
const disabledProject = withRejection(rejectedProject, 'project_state', 'the project is disabled')

/**
 * Reads the key from the path of a check-in, `sentry_key` in the query, `X-Sentry-Auth`, and `Authorization:
 * Sentry` or `Basic`. Unlike Relay, accepts the same key several times; different keys are rejected.
 */
export function parseCredentials(
  query: string,
  header: (name: string) => string | undefined,
  pathKey?: string,
): CredentialsResult {
  const headers = [header('x-sentry-auth') ?? '', header('authorization') ?? '']
  const keys = new Set<string>(pathKey === undefined ? [] : [pathKey])
  const versions = new Set<string>()
  if (query.includes('sentry_')) {
    for (const key of queryValues(query, 'sentry_key')) keys.add(key)
    for (const version of queryValues(query, 'sentry_version')) versions.add(version)
  }
  for (const text of headers) {
    const auth = parseAuthHeader(text)
    if (auth?.publicKey !== undefined) keys.add(auth.publicKey)
    if (auth?.version !== undefined) versions.add(auth.version)
  }
  const basicKey = parseBasicKey(headers[1] ?? '')
  if (basicKey !== undefined) keys.add(basicKey)
  if (keys.size > 1) return { ok: false, answer: several }
  for (const version of versions) {
    if (!isSpokenVersion(version)) return { ok: false, answer: badVersion }
  }
  const [text] = keys
  if (text === undefined) return { ok: true, publicKey: undefined }
  const publicKey = parsePublicKey(text)
  return publicKey === undefined ? { ok: false, answer: badKey } : { ok: true, publicKey }
}

export type ProjectResult =
  | { ok: true; key: ProjectKey }
  /** `projectId`: the project of the key, if it is known. */
  | { ok: false; answer: IngestAnswer; projectId?: number }

/**
 * Finds the project that a key may send to. `pathProject` is the project in the path; absent on the legacy
 * path, where the key decides. Synchronous when the key is cached.
 */
export function authorize(
  keys: ProjectKeys,
  publicKey: string,
  pathProject: string | undefined,
): ProjectResult | Promise<ProjectResult> {
  if (pathProject !== undefined && !/^[0-9]{1,20}$/.test(pathProject))
    return { ok: false, answer: badProject }
  const key = keys.find(publicKey)
  return key instanceof Promise
    ? key.then((found) => toProjectResult(found, pathProject))
    : toProjectResult(key, pathProject)
}

function toProjectResult(key: ProjectKey | undefined, pathProject: string | undefined): ProjectResult {
  if (key === undefined) return { ok: false, answer: unknownKey }
  const answer = findKeyProblem(key, pathProject)
  return answer === undefined ? { ok: true, key } : { ok: false, answer, projectId: key.projectId }
}

/** The response is the same for each problem; only the counted reason differs. */
function findKeyProblem(key: ProjectKey, pathProject: string | undefined): IngestAnswer | undefined {
  if (pathProject !== undefined && !isProjectOf(key, pathProject)) return otherKey
  if (!key.isActive) return disabledKey
  return key.settings.intake.isOn ? undefined : disabledProject
}

export type DsnResult =
  | { ok: true; publicKey: string; projectId: string }
  | { ok: false; answer: IngestAnswer }

/** The key and project in the envelope's header, for self-authenticating envelopes. */
export function parseEnvelopeDsn(header: EnvelopeHeader): DsnResult {
  const text = header.raw['dsn']
  if (text === undefined || text === null) return { ok: false, answer: missingKey }
  const dsn = typeof text === 'string' ? parseDsn(text) : undefined
  const publicKey = dsn === undefined ? undefined : parsePublicKey(dsn.publicKey)
  if (dsn === undefined || publicKey === undefined) return { ok: false, answer: badEnvelopeKey }
  return { ok: true, publicKey, projectId: dsn.projectId }
}

/** Describes how the envelope's `dsn` contradicts the request; undefined if it agrees or is absent. */
export function findDsnMismatch(header: EnvelopeHeader, key: ProjectKey): string | undefined {
  if (header.raw['dsn'] === undefined || header.raw['dsn'] === null) return undefined
  const dsn = parseEnvelopeDsn(header)
  if (!dsn.ok) return 'dsn header is invalid'
  if (dsn.publicKey !== key.publicKey) return 'public key header mismatch'
  return isProjectOf(key, dsn.projectId) ? undefined : 'project id header mismatch'
}

/** True for the id of the key's project, and for the project id in an imported DSN. */
export function isProjectOf({ projectId, keySettings }: ProjectKey, text: string): boolean {
  return Number(text) === projectId || Number(text) === keySettings.formerProjectId
}

/**
 * 32 hex digits, converted to lower case. Drops the flags that old SDKs add after a colon or comma, and the
 * dashes of a UUID, which DSNs of GlitchTip contain.
 */
export function parsePublicKey(text: string): string | undefined {
  const end = text.search(/[:,]/)
  const key = end === -1 ? text : text.slice(0, end)
  if (/^[0-9a-f]{32}$/i.test(key)) return key.toLowerCase()
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)
    ? key.replaceAll('-', '').toLowerCase()
    : undefined
}

function isSpokenVersion(version: string): boolean {
  return /^[0-9]{1,2}(\.[0-9]{1,3})?$/.test(version) && Number(version) <= newestVersion
}
