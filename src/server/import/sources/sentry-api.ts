import { parseEventId } from '#protocol/event-id.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { OperatorError } from '#server/errors.ts'
import type {
  ImportPlan,
  ImportSource,
  LeftOut,
  PlannedKey,
  PlannedMember,
  PlannedProject,
  SourceComment,
  SourceEvent,
  SourceIssue,
  SourceRelease,
} from '#server/import/plan.ts'
import { limits } from '#server/limits.ts'
import { fromApiEvent } from './api-event.ts'
import { countOf, objectOf, objectsOf, projectIdOf, publicKeyOf, foreignText, timeOf } from './fields.ts'
import { listLostOptions, toProjectSettings, type SentryOptions } from './project-options.ts'
import { roleOf } from './sentry-dump.ts'
import { toApiRule } from './sentry-rules.ts'
import { SourceMissing, type SourceClient } from './source-client.ts'

export interface SentryApiOptions {
  client: SourceClient
  kind: 'sentry' | 'glitchtip'
  /** Slugs; empty for all. */
  organization?: string
  projects: readonly string[]
}

/** Sentry's web API, of which GlitchTip implements a part. https://docs.sentry.io/api/ */
export function createSentryApi(options: SentryApiOptions): ImportSource {
  const { client, kind } = options
  const readOriginal = createOriginalReader(options)
  let hasOrganizationPaths = kind === 'sentry'

  /**
   * A list of an issue: in Sentry its path begins with the organization, in GlitchTip and old versions it
   * does not.
   */
  const readOfIssue = async (
    { organizationSlug = '' }: PlannedProject,
    issueId: string,
    { path, most }: { path: string; most: number },
  ): Promise<JsonObject[]> => {
    const ofIssue = `issues/${encodeURIComponent(issueId)}/${path}`
    if (hasOrganizationPaths) {
      const own = `api/0/organizations/${encodeURIComponent(organizationSlug)}/${ofIssue}`
      const listed = await listObjects(client, own, most).catch(ignoreMissing)
      if (listed !== null) return listed
    }
    const listed = await listObjects(client, `api/0/${ofIssue}`, most).catch(ignoreMissing)
    if (listed !== null) hasOrganizationPaths = false
    return listed ?? []
  }

  return {
    readPlan: () => readPlan(options),

    async *listReleases({ organizationSlug, id }) {
      const path = `api/0/organizations/${organizationSlug}/releases/?project=${id}&per_page=100`
      for await (const release of objectsIn(client, path, limits.importedReleases + 1))
        yield toRelease(release)
    },

    async *listIssues({ organizationSlug, id }) {
      // Without an empty query only unresolved issues are listed.
      const page = kind === 'sentry' ? '&statsPeriod=90d&sort=new&limit=100' : '&limit=50'
      const path = `api/0/organizations/${organizationSlug}/issues/?project=${id}&query=${page}`
      for await (const issue of objectsIn(client, path, limits.importedIssues + 1)) {
        const read = toIssue(issue)
        if (read !== undefined) yield read
      }
    },

    async readEvents(project, issue, count) {
      const path = `events/?full=true&per_page=${count}`
      const events: SourceEvent[] = []
      for (const listed of await readOfIssue(project, issue.id, { path, most: count })) {
        const eventId = parseEventId(listed['eventID'] ?? listed['id'])
        const receivedAt = timeOf(listed, 'dateReceived') ?? timeOf(listed, 'dateCreated')
        if (eventId === undefined || receivedAt === undefined) continue
        const sent = (await readOriginal(project, eventId)) ?? fromApiEvent(listed)
        events.push({ eventId, receivedAt, value: sent })
      }
      return events
    },

    async readComments(project, { id, commentCount }) {
      if (commentCount === 0) return []
      const listed = await readOfIssue(project, id, { path: 'comments/', most: limits.importedComments })
      return listed.flatMap((comment): SourceComment[] => {
        const at = timeOf(comment, 'dateCreated')
        const text = foreignText(objectOf(comment, 'data'), 'text')
        const user = objectOf(comment, 'user')
        const email = foreignText(user, 'email').toLowerCase()
        return at === undefined || text === ''
          ? []
          : [{ at, text, email, author: foreignText(user, 'name') || email }]
      })
    },
  }
}

/** Reads events as they were sent; undefined for an event, or a tracker, without the original. */
function createOriginalReader({ client, kind }: SentryApiOptions) {
  /** Decided by the first original, or by `limits.importMissingOriginals` missing ones before it. */
  let hasOriginals = kind === 'sentry' ? undefined : false
  let missingCount = 0
  return async (project: PlannedProject, id: string): Promise<JsonObject | undefined> => {
    if (hasOriginals === false) return undefined
    const path = `api/0/projects/${project.organizationSlug}/${project.sourceSlug}/events/${id}/json/`
    const value = await client.read(path).catch(ignoreMissing)
    if (isJsonObject(value)) {
      hasOriginals = true
      return value
    }
    // Events are then read in the format of the API. A single one may just have been deleted meanwhile.
    missingCount += 1
    if (missingCount === limits.importMissingOriginals) hasOriginals ??= false
    return undefined
  }
}

async function* objectsIn(client: SourceClient, path: string, most: number): AsyncGenerator<JsonObject> {
  let count = 0
  for await (const page of client.pages(path)) {
    for (const each of objectsOf(page)) {
      yield each
      count += 1
      if (count === most) return
    }
  }
}

async function listObjects(client: SourceClient, path: string, most: number): Promise<JsonObject[]> {
  const listed: JsonObject[] = []
  for await (const each of objectsIn(client, path, most)) listed.push(each)
  return listed
}

/** As `listObjects`, but reports entries beyond `most`. */
async function listReported(
  client: SourceClient,
  path: string,
  { most, name, project = '', leftOut }: { most: number; name: string; project?: string; leftOut: LeftOut[] },
): Promise<JsonObject[]> {
  const listed = await listObjects(client, path, most + 1)
  if (listed.length > most) leftOut.push({ project, text: `${name}: only the first ${most} are imported` })
  return listed.slice(0, most)
}

function ignoreMissing(error: unknown): null {
  if (error instanceof SourceMissing) return null
  throw error
}

async function readPlan(options: SentryApiOptions): Promise<ImportPlan> {
  const { client, organization } = options
  const plan: ImportPlan = { projects: [], members: [], leftOut: [] }
  const { leftOut } = plan
  const slugs = organization === undefined ? await listOrganizations(client) : [organization]
  for (const slug of slugs) {
    const listed = await listProjects(client, slug, leftOut)
    const shared = options.kind === 'sentry' ? await readOrganization(client, slug, leftOut) : {}
    for (const project of listed) {
      const read = await readProject(options, { organization: slug, shared, project, leftOut })
      if (read !== undefined) plan.projects.push(read)
    }
    plan.members.push(...(await readMembers(client, slug, leftOut)))
  }
  leftOut.push({
    project: '',
    text: 'transactions, replays, attachments, monitors, source maps, saved searches, integrations, teams, metric alerts, tokens: the import does not read them from the web API',
  })
  return plan
}

async function listProjects(client: SourceClient, slug: string, leftOut: LeftOut[]): Promise<JsonObject[]> {
  const path = `api/0/organizations/${encodeURIComponent(slug)}/projects/`
  try {
    return await listReported(client, path, { most: limits.importedProjects, name: 'projects', leftOut })
  } catch (error) {
    if (!(error instanceof SourceMissing)) throw error
    throw new OperatorError(
      `The token cannot read the organization ${JSON.stringify(slug)}: ${error.message}. It needs the scopes org:read, project:read, event:read and member:read.`,
    )
  }
}

/** The details of an organization; without them its scrubbing settings are reported as missing. */
async function readOrganization(client: SourceClient, slug: string, leftOut: LeftOut[]): Promise<JsonObject> {
  const path = `api/0/organizations/${encodeURIComponent(slug)}/?detailed=0`
  const details = await client.read(path).catch(ignoreMissing)
  if (!isJsonObject(details)) {
    leftOut.push({ project: '', text: `shared scrubbing settings of ${slug}: they cannot be read` })
    return {}
  }
  const { relayPiiConfig } = details
  if (relayPiiConfig !== undefined && relayPiiConfig !== null && relayPiiConfig !== '')
    leftOut.push({ project: '', text: `advanced scrubbing rules of ${slug} (relay_pii_config)` })
  return details
}

async function listOrganizations(client: SourceClient): Promise<string[]> {
  const most = limits.importedProjects
  const listed = await listObjects(client, 'api/0/organizations/', most).catch((error: unknown) => {
    if (error instanceof SourceMissing)
      throw new OperatorError(
        `${error.message}: is it the URL of the tracker, and may the token read organizations?`,
      )
    throw error
  })
  const slugs = listed.map((each) => foreignText(each, 'slug'))
  if (slugs.length === 0) throw new OperatorError('The token belongs to no organization.')
  return slugs
}

interface ListedProject {
  organization: string
  /** The details of the organization. */
  shared: JsonObject
  project: JsonObject
  leftOut: LeftOut[]
}

async function readProject(
  { client, kind, projects }: SentryApiOptions,
  { organization, shared, project, leftOut }: ListedProject,
): Promise<PlannedProject | undefined> {
  const slug = foreignText(project, 'slug')
  if (projects.length > 0 && !projects.includes(slug)) return undefined
  const id = projectIdOf(project['id'])
  if (id === undefined || slug === '') {
    leftOut.push({ project: slug, text: 'its id is not a number: DSNs of Culvert need numbers' })
    return undefined
  }
  const base = `api/0/projects/${encodeURIComponent(organization)}/${encodeURIComponent(slug)}/`
  const noteMissing = <Value>(value: Value | null, name: string): Value | null => {
    if (value === null)
      leftOut.push({ project: slug, text: `${name}: the tracker has none, or the token may not read them` })
    return value
  }
  const readPart = async (path: string, name: string): Promise<unknown> =>
    noteMissing(await client.read(base + path).catch(ignoreMissing), name)
  const listPart = async (path: string, name: string): Promise<JsonObject[]> => {
    const list = { most: limits.importedProjectParts, name, project: slug, leftOut }
    return noteMissing(await listReported(client, base + path, list).catch(ignoreMissing), name) ?? []
  }
  const details = await readPart('', 'settings')
  const ownership = await readPart('ownership/', 'ownership rules')
  const keys = (await listPart('keys/', 'keys')).flatMap(toKey)
  const rules = (await listPart('rules/', 'alert rules')).map(toApiRule)
  const switches = kind === 'sentry' ? await listPart('filters/', 'states of inbound filters') : undefined
  const options = toOptions({ shared, details, ownership, switches })
  leftOut.push(...listLostOptions(options).map((text) => ({ project: slug, text })))
  return {
    id,
    sourceSlug: slug,
    organizationSlug: organization,
    name: foreignText(project, 'name') || slug,
    platform: foreignText(project, 'platform') || undefined,
    keys,
    rules,
    settings: toProjectSettings(options),
  }
}

interface ProjectAnswers {
  shared: JsonObject
  details: unknown
  ownership: unknown
  switches: readonly JsonObject[] | undefined
}

function toOptions({ shared, details, ownership, switches }: ProjectAnswers): SentryOptions {
  const settings = isJsonObject(details) ? details : {}
  const options = objectOf(settings, 'options')
  return {
    origins: settings['allowedDomains'],
    blockedAddresses: options['filters:blacklisted_ips'],
    releases: options['filters:releases'],
    errorMessages: options['filters:error_messages'],
    cspSources: options['sentry:csp_ignored_sources'],
    hasCspDefaults: options['sentry:csp_ignored_sources_defaults'],
    switches: switches && toSwitches(switches, options),
    fingerprintingRules: settings['fingerprintingRules'],
    groupingEnhancements: settings['groupingEnhancements'],
    scrubs: settings['dataScrubber'],
    sensitiveFields: settings['sensitiveFields'],
    safeFields: settings['safeFields'],
    scrubsAddresses: settings['scrubIPAddresses'],
    scrubsDefaults: settings['dataScrubberDefaults'],
    piiConfig: settings['relayPiiConfig'],
    organization: {
      scrubs: shared['dataScrubber'],
      sensitiveFields: shared['sensitiveFields'],
      safeFields: shared['safeFields'],
      scrubsAddresses: shared['scrubIPAddresses'],
    },
    ...(isJsonObject(ownership) && {
      ownership: ownership['raw'],
      isAutoAssigned: ownership['autoAssignment'],
    }),
  }
}

/** Two of the filters are options of the project, the others are in a separate list. */
function toSwitches(listed: readonly JsonObject[], options: JsonObject): Map<string, unknown> {
  const switches = new Map<string, unknown>(
    listed.map((filter) => [foreignText(filter, 'id'), filter['active']]),
  )
  for (const name of ['react-hydration-errors', 'chunk-load-error'])
    if (options[`filters:${name}`] !== undefined) switches.set(name, options[`filters:${name}`])
  return switches
}

function toKey(key: JsonObject): PlannedKey[] {
  // GlitchTip returns the key only in the DSN.
  const [, ofDsn = ''] = /^https?:\/\/([^:@]+)/.exec(foreignText(objectOf(key, 'dsn'), 'public')) ?? []
  const publicKey = publicKeyOf(foreignText(key, 'public')) ?? publicKeyOf(ofDsn)
  if (publicKey === undefined) return []
  const limit = objectOf(key, 'rateLimit')
  const quantity = countOf(limit, 'count')
  const windowSeconds = countOf(limit, 'window')
  const rateLimit = quantity !== undefined && windowSeconds ? { quantity, windowSeconds } : undefined
  return [
    {
      publicKey,
      label: foreignText(key, 'label') || foreignText(key, 'name') || 'Default',
      isActive: key['isActive'] !== false,
      rateLimit,
    },
  ]
}

async function readMembers(client: SourceClient, slug: string, leftOut: LeftOut[]): Promise<PlannedMember[]> {
  const members: PlannedMember[] = []
  try {
    const path = `api/0/organizations/${encodeURIComponent(slug)}/members/`
    const list = { most: limits.importedMembers, name: 'members', leftOut }
    for (const member of await listReported(client, path, list)) {
      const user = objectOf(member, 'user')
      const email = (foreignText(member, 'email') || foreignText(user, 'email')).toLowerCase()
      if (email === '') continue
      const role = roleOf[foreignText(member, 'orgRole') || foreignText(member, 'role')] ?? 'member'
      const sourceUserId = foreignText(user, 'id') || undefined
      members.push({
        sourceUserId,
        email,
        role,
        name: foreignText(member, 'name') || foreignText(user, 'name') || email,
      })
    }
  } catch (error) {
    if (!(error instanceof SourceMissing)) throw error
    leftOut.push({ project: '', text: `members: ${error.message}` })
  }
  return members
}

function toRelease(release: JsonObject): SourceRelease {
  return {
    version: foreignText(release, 'version'),
    createdAt: timeOf(release, 'dateCreated'),
    releasedAt: timeOf(release, 'dateReleased'),
    url: foreignText(release, 'url') || undefined,
    ref: foreignText(release, 'ref') || undefined,
  }
}

function toIssue(issue: JsonObject): SourceIssue | undefined {
  const id = foreignText(issue, 'id')
  if (id === '') return undefined
  const status = foreignText(issue, 'status')
  const isArchived = status === 'ignored' || status === 'muted' || status === 'archived'
  const isResolved = status === 'resolved' || status === 'resolvedInNextRelease'
  return {
    id,
    title: foreignText(issue, 'title'),
    shortId: foreignText(issue, 'shortId'),
    url: foreignText(issue, 'permalink'),
    status: isResolved ? 'resolved' : isArchived ? 'archived' : 'unresolved',
    eventCount: countOf(issue, 'count') ?? 0,
    firstSeenAt: timeOf(issue, 'firstSeen'),
    lastSeenAt: timeOf(issue, 'lastSeen'),
    assigneeEmail: foreignText(objectOf(issue, 'assignedTo'), 'email').toLowerCase() || undefined,
    commentCount: countOf(issue, 'numComments') ?? 0,
  }
}
