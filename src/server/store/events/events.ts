import {
  sql,
  type CallbackSelection,
  type ExpressionBuilder,
  type InferResult,
  type RawBuilder,
} from 'kysely'
import { limits } from '#server/limits.ts'
import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import type { IssueKey, IssueSummary } from '#server/store/issues/records.ts'
import { issueColumns, toIssueSummary, toEventType, toLevel, toRowProject } from '#server/store/issues/row.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import { parseProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import { selectExtras, toExtras, type EventExtras } from './attached-data.ts'
import { readPayload } from './body-block.ts'
import { issueOfEvent } from './moves.ts'
import type { EventPosition, EventReference } from './records.ts'

/** A stored event; the caller normalizes its payload. */
export interface StoredEvent extends EventExtras {
  projectId: number
  /** 32 lower-case hex digits. */
  eventId: string
  /** Unix milliseconds. */
  occurredAt: number
  /** Unix milliseconds. */
  receivedAt: number
  clientAddress?: string
  /** The current settings of its project. */
  projectSettings: ProjectSettings
  /** The commit of its release, as a tool reported it. */
  commit?: string
  /** The event item's bytes as received. */
  payload: Uint8Array
  position: EventPosition
  /** 32 lower-case hex digits. */
  traceId?: string
  /** True if its SDK sends the spans of the trace; absent if the SDK does not decide it. */
  isTraceSampled?: boolean
}

const latestEvent = prepareQuery((db, key: IssueKey) =>
  selectEvents(db, key).orderBy('e.occurred_at', 'desc').orderBy('e.event_id', 'desc').limit(1),
)

/** The latest event of an issue, with its position. One statement. */
export async function findLatestEvent(
  db: Db,
  { projectId, issueId }: IssueKey,
): Promise<StoredEvent | undefined> {
  const [row] = await latestEvent(db, { projectId, issueId })
  return row && toStoredEvent(row)
}

/** An event of an issue. */
interface EventKey extends IssueKey {
  /** 32 lower-case hex digits. */
  eventId: string
}

const eventOfIssue = prepareQuery((db, { id, ...key }: IssueKey & { id: Uint8Array }) =>
  selectEvents(db, key).where('e.event_id', '=', id),
)

/** An event of an issue, with its position; undefined if the issue has no such event. One statement. */
export async function findEventOfIssue(
  db: Db,
  { projectId, issueId, eventId }: EventKey,
): Promise<StoredEvent | undefined> {
  const [row] = await eventOfIssue(db, { projectId, issueId, id: toIdBytes(eventId) })
  return row && toStoredEvent(row)
}

const positionOfEvent = prepareQuery((db, { projectId, issueId, id }: IssueKey & { id: Uint8Array }) =>
  db
    .selectFrom('events as e')
    .select('e.event_id')
    .select(selectNeighbours)
    .where('e.project_id', '=', projectId)
    .where('e.issue_id', '=', issueId)
    .where('e.event_id', '=', id),
)

/** The current position of an event; undefined if the issue has no such event. One statement. */
export async function findEventPosition(
  db: Db,
  { projectId, issueId, eventId }: EventKey,
): Promise<EventPosition | undefined> {
  const [row] = await positionOfEvent(db, { projectId, issueId, id: toIdBytes(eventId) })
  return row && toEventPosition(row)
}

export interface EventWithIssue {
  issue: IssueSummary
  event: StoredEvent
}

/** A look-up of events in projects. */
export interface EventQuery {
  /** 32 lower-case hex digits, or the first of them for a digest. */
  id: string
  /** Projects that the reader has access to. Events of other projects are not found. */
  projectIds: readonly number[]
}

/**
 * A cross join keeps SQLite's planner from changing the order: one seek per project instead of a scan of all
 * events.
 */
const eventById = prepareQuery((db, { id, projectIds }: { id: Uint8Array; projectIds: readonly number[] }) =>
  db
    .selectFrom('projects as p')
    .crossJoin('events as e')
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'e.project_id').on('i.id', '=', issueOfEvent),
    )
    .innerJoin('body_blocks as b', (join) =>
      join.onRef('b.project_id', '=', 'e.project_id').onRef('b.id', '=', 'e.block_id'),
    )
    .select(issueColumns)
    .select(eventColumns)
    .select([selectSettings, selectCommit])
    .select(selectNeighbours)
    .select(selectExtras)
    .where('p.id', 'in', projectIds)
    .whereRef('e.project_id', '=', 'p.id')
    .where('e.event_id', '=', id)
    .orderBy('e.occurred_at', 'desc')
    .limit(1),
)

/**
 * The event with this id in any of the projects: the latest one if several have the same id. One statement.
 */
export async function findEvent(db: Db, { id, projectIds }: EventQuery): Promise<EventWithIssue | undefined> {
  const [row] = await eventById(db, { id: toIdBytes(id), projectIds })
  return (
    row && {
      issue: toIssueSummary(row),
      event: toStoredEvent(row),
    }
  )
}

/**
 * The events whose id equals or begins with these 12 or more lower-case hex digits, the events of the trace
 * with this id, or else those for which another framework displayed this digest; newest first, at most
 * `limits.digestMatches`. One statement.
 */
export async function findEventsByDigest(
  db: Db,
  { id, digest, projectIds }: DigestQuery,
): Promise<EventReference[]> {
  // A separate query for each index: for one `or`, SQLite would read all events of the project.
  let found = db
    .selectFrom(selectForeign(db, { digest, projectIds }).as('foreign'))
    .selectAll()
    .select(sql<number>`1`.as('is_foreign'))
  if (id !== undefined) {
    const [lowest, highest] = [toIdBytes(id.padEnd(32, '0')), toIdBytes(id.padEnd(32, 'f'))]
    const own = sql<number>`0`.as('is_foreign')
    const references = selectReferences(db, projectIds)
      .orderBy('e.occurred_at', 'desc')
      .limit(limits.digestMatches)
    const byId = references.where('e.event_id', '>=', lowest).where('e.event_id', '<=', highest)
    found = found.union(db.selectFrom(byId.as('by_id')).selectAll().select(own))
    const byTrace = references.where('e.trace_id', '=', lowest)
    if (id.length === 32) found = found.union(db.selectFrom(byTrace.as('by_trace')).selectAll().select(own))
  }
  const rows = await found
    .orderBy('is_foreign')
    .orderBy('occurred_at', 'desc')
    .limit(limits.digestMatches)
    .execute()
  // Another framework's digest counts only if no id matches: an event can contain the id of another one as
  // its digest.
  const meant = rows[0]?.is_foreign ?? 0
  return rows.filter((row) => row.is_foreign === meant).map(toEventReference)
}

/** The digest to look up. */
export interface DigestQuery {
  /** As typed: another framework's digest can be any text. */
  digest: string
  /** 12 to 32 lower-case hex digits; undefined if the digest cannot be the beginning of an id. */
  id: string | undefined
  projectIds: readonly number[]
}

function selectForeign(db: Db, { digest, projectIds }: Omit<DigestQuery, 'id'>) {
  return db
    .selectFrom('projects as p')
    .crossJoin('event_digests as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.project_id', '=', 'd.project_id').onRef('e.event_id', '=', 'd.event_id'),
    )
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'e.project_id').on('i.id', '=', issueOfEvent),
    )
    .select(referenceColumns)
    .where('p.id', 'in', projectIds)
    .whereRef('d.project_id', '=', 'p.id')
    .where('d.digest', '=', digest)
    .orderBy('e.occurred_at', 'desc')
    .limit(limits.digestMatches)
}

const referenceColumns = [
  'e.project_id',
  'e.event_id',
  'i.id as issue_id',
  'e.occurred_at',
  'e.is_trace_sampled',
  'e.level',
  'i.type',
  'i.title',
  'i.subtitle',
  'p.slug as project_slug',
  'p.name as project_name',
  'p.platform as project_platform',
] as const

/** Events `e` of the projects, each as a row of `toEventReference`. */
export function selectReferences(db: Db, projectIds: readonly number[]) {
  return db
    .selectFrom('projects as p')
    .crossJoin('events as e')
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'e.project_id').on('i.id', '=', issueOfEvent),
    )
    .select(referenceColumns)
    .where('p.id', 'in', projectIds)
    .whereRef('e.project_id', '=', 'p.id')
}

type ReferenceRow = InferResult<ReturnType<typeof selectReferences>>[number]

/** An event in a list of other events. */
export function toEventReference(row: ReferenceRow): EventReference {
  return {
    eventId: fromIdBytes(row.event_id),
    issueId: String(row.issue_id),
    project: toRowProject(row),
    title: row.title,
    subtitle: row.subtitle,
    level: toLevel(row.level),
    type: toEventType(row.type),
    occurredAt: row.occurred_at,
    ...(row.is_trace_sampled !== null && { isTraceSampled: row.is_trace_sampled === 1 }),
  }
}

const eventColumns = [
  'e.project_id as event_project_id',
  'e.event_id',
  'e.occurred_at',
  'e.received_at',
  'e.client_address',
  'e.trace_id',
  'e.is_trace_sampled',
  'e.block_offset',
  'e.block_length',
  'b.data as block_data',
  'b.raw_bytes as block_raw_bytes',
] as const

const selectSettings = sql<string>`(select settings from projects where id = e.project_id)`.as(
  'project_settings',
)

/** The commit from which the release was built, or the last one of its list. */
const selectCommit = sql<string | null>`(select coalesce(r.ref, (
    select c.id from release_commits c where c.project_id = r.project_id and c.version = r.version
    order by c.number limit 1))
  from releases r where r.project_id = e.project_id and r.version = e.release)`.as('release_commit')

/** The events of an issue, each as a row of `toStoredEvent`. */
function selectEvents(db: Db, { projectId, issueId }: IssueKey) {
  return db
    .selectFrom('events as e')
    .innerJoin('body_blocks as b', (join) =>
      join.onRef('b.project_id', '=', 'e.project_id').onRef('b.id', '=', 'e.block_id'),
    )
    .select(eventColumns)
    .select([selectSettings, selectCommit])
    .select(selectNeighbours)
    .select(selectExtras)
    .where('e.project_id', '=', projectId)
    .where('e.issue_id', '=', issueId)
}

type EventTables = Database & { e: Database['events'] }

/** Four seeks in the index of the issue's events, in the order of `isEarlier`. */
function selectNeighbours(of: ExpressionBuilder<EventTables, 'e'>) {
  const neighbour = (direction: 'asc' | 'desc') =>
    of
      .selectFrom('events as n')
      .select('n.event_id')
      .whereRef('n.project_id', '=', 'e.project_id')
      .whereRef('n.issue_id', '=', 'e.issue_id')
      .orderBy('n.occurred_at', direction)
      .orderBy('n.event_id', direction)
      .limit(1)
  const isBefore = sql<boolean>`(n.occurred_at, n.event_id) < (e.occurred_at, e.event_id)`
  const isAfter = sql<boolean>`(n.occurred_at, n.event_id) > (e.occurred_at, e.event_id)`
  return [
    neighbour('asc').as('first_id'),
    neighbour('desc').where(isBefore).as('previous_id'),
    neighbour('asc').where(isAfter).as('next_id'),
    neighbour('desc').as('latest_id'),
    selectCount(isBefore, 'desc').as('earlier_count'),
    selectCount(isAfter, 'asc').as('later_count'),
  ] as const
}

/** Counts at most `limits.countedPosition` + 1 events: an issue can have a million. */
function selectCount(isThere: RawBuilder<boolean>, direction: 'asc' | 'desc') {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  return sql<number>`(select count(*) from (select 1 from events n
    where n.project_id = e.project_id and n.issue_id = e.issue_id and ${isThere}
    order by n.occurred_at ${order}, n.event_id ${order} limit ${limits.countedPosition + 1}) as counted)`
}

type PositionRow = CallbackSelection<EventTables, 'e', typeof selectNeighbours> & { event_id: Uint8Array }

function toEventPosition(row: PositionRow): EventPosition {
  return {
    ...(row.previous_id && { previousEventId: fromIdBytes(row.previous_id) }),
    ...(row.next_id && { nextEventId: fromIdBytes(row.next_id) }),
    firstEventId: fromIdBytes(row.first_id ?? row.event_id),
    latestEventId: fromIdBytes(row.latest_id ?? row.event_id),
    ...(row.earlier_count <= limits.countedPosition && { earlierCount: row.earlier_count }),
    ...(row.later_count <= limits.countedPosition && { laterCount: row.later_count }),
  }
}

type EventRow = InferResult<ReturnType<typeof selectEvents>>[number]

function toStoredEvent(row: EventRow): StoredEvent {
  const block = { data: row.block_data, rawBytes: row.block_raw_bytes }
  return {
    projectId: row.event_project_id,
    eventId: fromIdBytes(row.event_id),
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    clientAddress: row.client_address ?? undefined,
    projectSettings: parseProjectSettings(row.project_settings),
    commit: row.release_commit ?? undefined,
    payload: readPayload(block, row.block_offset, row.block_length),
    position: toEventPosition(row),
    ...(row.trace_id !== null && { traceId: fromIdBytes(row.trace_id) }),
    ...(row.is_trace_sampled !== null && { isTraceSampled: row.is_trace_sampled === 1 }),
    ...toExtras(row),
  }
}
