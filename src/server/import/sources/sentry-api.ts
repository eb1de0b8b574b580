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
import { toProjectSettings } from './project-options.ts'
import { roleOf } from './sentry-dump.ts'
import { toApiRule } from './sentry-rules.ts'
import { SourceMissing, type SourceClient } from './source-client.ts'

export interface SentryApiOptions {
  client: SourceClient
  kind: 'sentry' | 'glitchtip'
  /** Slugs; without them all. */
  organization?: string
  projects: readonly string[]
}

/** Sentry's web API, of which GlitchTip has a part. https://docs.sentry.io/api/ */
export function createSentryApi(options: SentryApiOptions): ImportSource {
  const { client, kind } = options
  let hasEventJson = kind === 'sentry'

  const readJson = async (project: PlannedProject, id: string): Promise<JsonObject | undefined> => {
    if (!hasEventJson) return undefined
    const path = `api/0/projects/${project.organizationSlug}/${project.sourceSlug}/events/${id}/json/`
    const value = await client.read(path).catch(ignoreMissing)
    // Without it, events are read in the shape of the API.
    if (!isJsonObject(value)) hasEventJson = false
    return isJsonObject(value) ? value : undefined
  }

  return {
    readPlan: () => readPlan(options),

    async *listReleases({ organizationSlug, id }) {
      const path = `api/0/organizations/${organizationSlug}/releases/?project=${id}&per_page=100`
      for await (const release of objectsIn(client, path, limits.importedReleases)) yield toRelease(release)
    },

    async *listIssues({ organizationSlug, id }) {
      // Without an empty query only unresolved issues are listed.
      const page = kind === 'sentry' ? '&statsPeriod=90d&sort=new&limit=100' : '&limit=50'
      const path = `api/0/organizations/${organizationSlug}/issues/?project=${id}&query=${page}`
      for await (const issue of objectsIn(client, path, limits.importedIssues)) {
        const read = toIssue(issue)
        if (read !== undefined) yield read
      }
    },

    async readEvents(project, issue, count) {
      const path = `api/0/issues/${encodeURIComponent(issue.id)}/events/?full=true&per_page=${count}`
      const value = await client.read(path).catch(ignoreMissing)
      const events: SourceEvent[] = []
      for (const listed of objectsOf(value).slice(0, count)) {
        const eventId = parseEventId(listed['eventID'] ?? listed['id'])
        const receivedAt = timeOf(listed, 'dateReceived') ?? timeOf(listed, 'dateCreated')
        if (eventId === undefined || receivedAt === undefined) continue
        const sent = (await readJson(project, eventId)) ?? fromApiEvent(listed)
        events.push({ eventId, receivedAt, value: sent })
      }
      return events
    },

    async readComments({ id, commentCount }) {
      if (commentCount === 0) return []
      const value = await client.read(`api/0/issues/${encodeURIComponent(id)}/comments/`).catch(ignoreMissing)
      return objectsOf(value).flatMap((comment): SourceComment[] => {
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

async function* objectsIn(client: SourceClient, path: string, most: number): AsyncGenerator<JsonObject> {
  let count = 0
  for await (const page of client.pages(path)) {
    for (const each of objectsOf(page)) {
      if (count === most) return
      count += 1
      yield each
    }
  }
}

function ignoreMissing(error: unknown): null {
  if (error instanceof SourceMissing) return null
  throw error
}

async function readPlan(options: SentryApiOptions): Promise<ImportPlan> {
  const { client, organization } = options
  const plan: ImportPlan = { projects: [], members: [], leftOut: [] }
  const slugs = organization === undefined ? await listOrganizations(client) : [organization]
  for (const slug of slugs) {
    const listed: JsonObject[] = []
    try {
      const path = `api/0/organizations/${encodeURIComponent(slug)}/projects/`
      for await (const project of objectsIn(client, path, limits.importedProjects)) listed.push(project)
    } catch (error) {
      if (!(error instanceof SourceMissing)) throw error
      throw new OperatorError(
        `The token cannot read the organization ${JSON.stringify(slug)}: ${error.message}. It needs the scopes org:read, project:read, event:read and member:read.`,
      )
    }
    for (const project of listed) {
      const read = await readProject(options, { organization: slug, project, leftOut: plan.leftOut })
      if (read !== undefined) plan.projects.push(read)
    }
    plan.members.push(...(await readMembers(client, slug, plan.leftOut)))
  }
  const missing = options.projects.filter((slug) => !plan.projects.some((each) => each.sourceSlug === slug))
  if (missing.length > 0) throw new OperatorError(`The tracker has no project ${missing.join(', ')}.`)
  return plan
}

async function listOrganizations(client: SourceClient): Promise<string[]> {
  const value = await client.read('api/0/organizations/').catch((error: unknown) => {
    if (error instanceof SourceMissing)
      throw new OperatorError(
        `${error.message}: is it the address of the tracker, and may the token read organizations?`,
      )
    throw error
  })
  const slugs = objectsOf(value).map((each) => foreignText(each, 'slug'))
  if (slugs.length === 0) throw new OperatorError('The token belongs to no organization.')
  return slugs
}

async function readProject(
  { client, projects }: SentryApiOptions,
  { organization, project, leftOut }: { organization: string; project: JsonObject; leftOut: LeftOut[] },
): Promise<PlannedProject | undefined> {
  const slug = foreignText(project, 'slug')
  if (projects.length > 0 && !projects.includes(slug)) return undefined
  const id = projectIdOf(project['id'])
  if (id === undefined || slug === '') {
    leftOut.push({ project: slug, text: 'its id is no number: DSNs here have numbers' })
    return undefined
  }
  const base = `api/0/projects/${encodeURIComponent(organization)}/${encodeURIComponent(slug)}/`
  const readPart = async (path: string, name: string): Promise<unknown> => {
    const value = await client.read(base + path).catch(ignoreMissing)
    if (value === null)
      leftOut.push({ project: slug, text: `${name}: the tracker has none, or the token may not read them` })
    return value
  }
  const details = await readPart('', 'settings')
  const ownership = await readPart('ownership/', 'ownership rules')
  const keys = objectsOf(await readPart('keys/', 'keys')).flatMap(toKey)
  const rules = objectsOf(await readPart('rules/', 'rules of alerts')).map(toApiRule)
  const settings = isJsonObject(details) ? details : {}
  const options = objectOf(settings, 'options')
  return {
    id,
    sourceSlug: slug,
    organizationSlug: organization,
    name: foreignText(project, 'name') || slug,
    platform: foreignText(project, 'platform') || undefined,
    keys,
    rules,
    settings: toProjectSettings({
      origins: settings['allowedDomains'],
      blockedAddresses: options['filters:blacklisted_ips'],
      releases: options['filters:releases'],
      errorMessages: options['filters:error_messages'],
      fingerprintingRules: settings['fingerprintingRules'],
      groupingEnhancements: settings['groupingEnhancements'],
      scrubs: settings['dataScrubber'],
      sensitiveFields: settings['sensitiveFields'],
      safeFields: settings['safeFields'],
      scrubsAddresses: settings['scrubIPAddresses'],
      ...(isJsonObject(ownership) && {
        ownership: ownership['raw'],
        isAutoAssigned: ownership['autoAssignment'],
      }),
    }),
  }
}

function toKey(key: JsonObject): PlannedKey[] {
  // GlitchTip names the key only in the DSN.
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
    for await (const member of objectsIn(client, path, limits.importedMembers)) {
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
