import { parseDsn } from '#protocol/dsn.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import type {
  ImportPlan,
  ImportSource,
  PlannedProject,
  SourceEvent,
  SourceIssue,
} from '#server/import/plan.ts'
import { limits } from '#server/limits.ts'
import {
  countOf,
  objectsOf,
  projectIdOf,
  publicKeyOf,
  foreignText,
  timeOf,
  parseForeignJson,
} from './fields.ts'
import { SourceMissing, type SourceClient } from './source-client.ts'

const base = 'api/canonical/0/'

/** Bugsink's web API, since version 2. Its answers are pages with `results`. */
export function createBugsinkApi({
  client,
  projects,
}: {
  client: SourceClient
  /** Slugs of projects; empty for all. */
  projects: readonly string[]
}): ImportSource {
  /** Their ids in the API, which may differ from those in DSNs. */
  const apiIds = new Map<number, string>()

  return {
    async readPlan() {
      const plan: ImportPlan = { projects: [], members: [], leftOut: [] }
      const most = limits.importedProjects
      for await (const project of resultsOf(client, `${base}projects/`, most + 1)) {
        if (plan.projects.length === most) {
          plan.leftOut.push({ project: '', text: `projects: only the first ${most} are imported` })
          break
        }
        const slug = foreignText(project, 'slug')
        if (projects.length > 0 && !projects.includes(slug)) continue
        const read = toProject(project)
        if (read === undefined) {
          plan.leftOut.push({
            project: slug,
            text: `its DSN ${JSON.stringify(foreignText(project, 'dsn'))} has no number as project id`,
          })
          continue
        }
        apiIds.set(read.id, foreignText(project, 'id'))
        plan.projects.push(read)
      }
      if (plan.projects.length === 0 && plan.leftOut.length === 0)
        throw new OperatorError('The token cannot read this project.')
      plan.leftOut.push({
        project: '',
        text: 'members, comments and assignees: the web API of Bugsink does not have them',
      })
      return plan
    },

    async *listReleases({ id }) {
      const path = `${base}releases/?project=${encodeURIComponent(apiIds.get(id) ?? id)}`
      for await (const release of resultsOf(client, path, limits.importedReleases + 1)) {
        yield { version: foreignText(release, 'version'), createdAt: timeOf(release, 'date_released') }
      }
    },

    async *listIssues({ id }) {
      const path = `${base}issues/?project=${encodeURIComponent(apiIds.get(id) ?? id)}`
      for await (const issue of resultsOf(client, path, limits.importedIssues + 1)) {
        yield toIssue(
          issue,
          client.pageUrl(`issues/issue/${encodeURIComponent(foreignText(issue, 'id'))}/event/last/`),
        )
      }
    },

    async readEvents(_project, issue, count) {
      const events: SourceEvent[] = []
      for await (const listed of resultsOf(
        client,
        `${base}events/?issue=${encodeURIComponent(issue.id)}`,
        count,
      )) {
        const detail = await client.read(`${base}events/${encodeURIComponent(foreignText(listed, 'id'))}/`)
        const event = isJsonObject(detail) ? toEvent(detail) : undefined
        if (event !== undefined) events.push(event)
      }
      return events
    },

    readComments: () => Promise.resolve([]),
  }
}

async function* resultsOf(client: SourceClient, path: string, most: number): AsyncGenerator<JsonObject> {
  let count = 0
  try {
    for await (const page of client.pages(path)) {
      for (const each of objectsOf(isJsonObject(page) ? page['results'] : page)) {
        yield each
        count += 1
        if (count === most) return
      }
    }
  } catch (error) {
    if (!(error instanceof SourceMissing)) throw error
    throw new OperatorError(`${errorMessage(error)}: is it the URL of Bugsink 2, and may the token read it?`)
  }
}

function toProject(project: JsonObject): PlannedProject | undefined {
  const dsn = parseDsn(foreignText(project, 'dsn'))
  const id = projectIdOf(dsn?.projectId)
  const publicKey = publicKeyOf(dsn?.publicKey ?? '')
  if (id === undefined || publicKey === undefined) return undefined
  const sourceSlug = foreignText(project, 'slug')
  return {
    id,
    sourceSlug,
    name: foreignText(project, 'name') || sourceSlug,
    keys: [{ publicKey, label: 'Default', isActive: true }],
    settings: {},
    rules: [],
  }
}

function toIssue(issue: JsonObject, url: string): SourceIssue {
  const type = foreignText(issue, 'calculated_type')
  const value = foreignText(issue, 'calculated_value')
  return {
    id: foreignText(issue, 'id'),
    title: value === '' ? type : `${type}: ${value}`,
    shortId: '',
    url,
    status:
      issue['is_resolved'] === true ? 'resolved' : issue['is_muted'] === true ? 'archived' : 'unresolved',
    eventCount: countOf(issue, 'digested_event_count') ?? 0,
    firstSeenAt: timeOf(issue, 'first_seen'),
    lastSeenAt: timeOf(issue, 'last_seen'),
    commentCount: 0,
  }
}

function toEvent(event: JsonObject): SourceEvent | undefined {
  const eventId = parseEventId(event['event_id'])
  const receivedAt = timeOf(event, 'ingested_at') ?? timeOf(event, 'digested_at')
  const data = event['data']
  if (eventId === undefined || receivedAt === undefined) return undefined
  if (isJsonObject(data)) return { eventId, receivedAt, value: data }
  try {
    const value: unknown = typeof data === 'string' ? parseForeignJson(data) : undefined
    return isJsonObject(value) ? { eventId, receivedAt, value } : undefined
  } catch {
    return undefined
  }
}
