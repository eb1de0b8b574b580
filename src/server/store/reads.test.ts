import { describe, expect, it } from 'vitest'
import { everything, toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { issueSorts, issueStatuses } from '#server/store/issues/records.ts'
import { onPostgres } from '#test/engine.ts'
import { openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { listApiTokens } from './accounts/api-tokens.ts'
import { listUploads } from './artifacts/list.ts'
import { findAttachment } from './events/attachments.ts'
import {
  findEvent,
  findEventOfIssue,
  findEventPosition,
  findEventsByDigest,
  findLatestEvent,
} from './events/events.ts'
import { listProjectEvents, projectEventCursors } from './events/project-events.ts'
import { listTraceEvents, listTraceEventsWithPayloads } from './events/trace.ts'
import { prepareIngestStatements } from './ingest/statements.ts'
import { findSetting } from './installation/settings.ts'
import { readIssueExtras } from './issues/api-fields.ts'
import { findIssueDetail } from './issues/detail.ts'
import { eventCursors, listIssueEvents } from './issues/event-list.ts'
import { findIssue, listIssueHours } from './issues/issues.ts'
import { listReleaseMarks, listSimilarIssues } from './issues/related.ts'
import { listIssues, type IssueListQuery } from './issues/search/issue-list.ts'
import { issueCursors } from './issues/search/order.ts'
import { readStreamFrame } from './issues/stream-frame.ts'
import { listTagDistributions } from './issues/tags.ts'
import { findFilterSamples, listFilterSamples } from './outcomes/filter-samples.ts'
import { listOutcomeSteps } from './outcomes/outcomes.ts'
import { listFilterChoices, listProjectNames, listProjectRows } from './projects/projects.ts'
import { listReleaseCommits, readCommitHeads } from './releases/commits.ts'
import { readHealthSteps } from './releases/health-steps.ts'
import { readReleaseHealth } from './releases/health.ts'
import { findLatestRelease } from './releases/order.ts'
import { healthPeriods } from './releases/records.ts'
import {
  findPreviousRelease,
  findPreviousWithCommits,
  findReleases,
  findReleasesNamed,
  listIssuesOfRelease,
} from './releases/releases.ts'
import type { Db } from './schema/database.ts'
import { listSegmentsOfEvent, listTraceSegments } from './traces/traces.ts'
import { readIssueTriage } from './triage/choices.ts'

/** Tables that grow with traffic; the others have a row per project or per environment. */
const bigTable =
  /^SCAN (?:issues|i|issue_hours|h|issue_environments|v|issue_tags|t|events|e|n|body_blocks|b|event_digests|d|outcome_hours|o|filter_samples|s|attachments|a|event_feedback|f|own|x|s|r|releases|saved_searches)\b/

/** The plan's steps that read a big table from one end to the other. */
function findScans(connection: Connection, sql: string): string[] {
  const plan = planOf(connection, sql)
  // A scan of a name that is a subquery's reads the rows which that subquery found by index.
  const subqueries = new Set(plan.map((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(step)?.[1]))
  const scans = plan.filter((step) => bigTable.test(step) && !subqueries.has(step.split(' ')[1]))
  // One scan for each other name that the statement gives to such a subquery.
  for (const [, subquery, name] of sql.matchAll(/from (\w+) as (\w+)/g)) {
    const scan = subqueries.has(subquery) ? scans.indexOf(`SCAN ${name}`) : -1
    if (scan !== -1) scans.splice(scan, 1)
  }
  return scans
}

function planOf(connection: Connection, sql: string): string[] {
  const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
  return rows.map((row) => String(row['detail']))
}

const search = (text: string) => ({ expression: toExpression(parseSearch(text)) })
const projects = testProjectIds.map((id) => ({ id, slug: `p${id}` }))
const onlyWeb = { projects: projects.slice(0, 1) }
const filters = [
  {},
  onlyWeb,
  search('!environment:a'),
  { ...onlyWeb, ...search('!environment:a') },
  search('!lastSeen:-1h'),
  { ...onlyWeb, ...search('!lastSeen:-1h') },
]
const page = {
  expression: everything,
  projects,
  limit: 50,
  now: testNow,
  bars: '24h',
  userId: 'ada',
} as const

function listQueries(): IssueListQuery[] {
  const queries: IssueListQuery[] = []
  for (const sort of issueSorts) {
    for (const statuses of [['unresolved'], issueStatuses] as const) {
      for (const filter of filters) {
        const after = issueCursors(sort).format({ side: 'after', position: { value: 5, issueId: 5 } })
        const before = issueCursors(sort).format({ side: 'before', position: { value: 5, issueId: 5 } })
        const query = { ...page, ...filter, sort, statuses }
        queries.push(query, { ...query, cursor: after }, { ...query, cursor: before })
      }
    }
  }
  return queries
}

async function openCounting() {
  const statements = new Set<string>()
  const store = await openTestStore({ onStatement: (sql) => statements.add(sql) })
  return { statements, ...store }
}

/** The reads of the page of a release, for a version and for a commit's hash. */
async function readReleases(db: Db, projectIds: number[]): Promise<void> {
  await findReleases(db, { version: 'web@1', projectIds })
  await findReleasesNamed(db, { versions: ['web@1', 'web@2'], projectIds })
  await readCommitHeads(db, [{ project_id: 1, version: 'web@1' }])
  await listIssuesOfRelease(db, { projectId: 1, version: 'web@1' })
  await findLatestRelease(db, 1)
  for (const period of healthPeriods)
    await readHealthSteps(db, { projectId: 1, version: 'web@1', period, now: testNow, environment: 'a' })
  await readReleaseHealth(db, { releases: [{ version: 'web@1', project: { id: 1 } }], now: testNow })
  await listReleaseCommits(db, { projectId: 1, version: 'web@1', limit: 9 })
  await listUploads(db, { projectId: 1, release: 'web@1' })
  for (const version_order of ['a1', '']) {
    await findPreviousRelease(db, { ...releaseOf1, version_order })
    await findPreviousWithCommits(db, { ...releaseOf1, version_order })
  }
}

const projectOf1 = { id: 1, slug: 'web', name: 'Web' }

const releaseOf1 = { project_id: 1, package: 'web', released_at: null, created_at: testNow }

/** The reads of all screens except the stream, for a user with access to these projects. */
async function readScreens(db: Db, projectIds: number[]): Promise<void> {
  const issue = { projectId: 1, issueId: 1 }
  await findIssue(db, { issueId: 1, projectIds })
  await listIssueHours(db, issue, 0)
  await listReleaseMarks(db, 1, 0)
  await listSimilarIssues(db, issue, { title: 't', subtitle: 's', culprit: 'c', project: projectOf1 })
  await readIssueTriage(db, issue, 'web')
  await listTraceEvents(db, { eventId: testId('a'), traceId: testId('trace') }, projectIds)
  await listTraceSegments(db, { traceId: testId('trace'), projectIds })
  await listSegmentsOfEvent(
    db,
    { traceId: testId('trace'), projectId: 1, occurredAt: 0, payload: Buffer.from('{}') },
    projectIds,
  )
  await listTraceEventsWithPayloads(db, { traceId: testId('trace'), projectIds })
  await findIssueDetail(db, { issueId: 1, projectIds, now: testNow })
  await findAttachment(db, { eventId: testId('a'), number: 1, projectIds })
  await findLatestEvent(db, issue)
  await findEventOfIssue(db, { ...issue, eventId: testId('a') })
  await findEventPosition(db, { ...issue, eventId: testId('a') })
  await findEvent(db, { id: testId('a'), projectIds })
  await findEventsByDigest(db, { id: testId('a').slice(0, 12), digest: 'a', projectIds })
  await findEventsByDigest(db, { id: undefined, digest: '1135396951', projectIds })
  await findEventsByDigest(db, { id: testId('trace'), digest: 'trace', projectIds })
  await listTagDistributions(db, issue)
  await readIssueExtras(db, [{ id: '1', project: { id: 1, slug: 'a', name: 'A' } }])
  await listProjectRows(db, { projectIds, now: testNow })
  await listProjectNames(db)
  await listFilterChoices(db, projectIds)
  for (const scope of [[1], [1, 2], projectIds]) {
    await listOutcomeSteps(db, { projectIds: scope, since: 0, stepMs: hourMs })
    await listFilterSamples(db, { projectIds: scope, since: 0, perReason: 3 })
    await findFilterSamples(db, { projectIds: scope, id: 'a'.repeat(32) })
    await findFilterSamples(db, { projectIds: scope, id: 'a'.repeat(12) })
  }
  await readReleases(db, projectIds)
  const cursor = projectEventCursors.format({ side: 'after', position: { blockId: 5, blockOffset: 5 } })
  await listProjectEvents(db, { projectId: 1, limit: 25, cursor })
  await listApiTokens(db, 'ada')
  await findSetting(db, 'a')
}

// The plans below are SQLite's.
describe.skipIf(onPostgres)('every read', () => {
  it('finds its rows by index', async () => {
    const { db, connection, statements } = await openCounting()
    for (const query of listQueries()) await listIssues(db, query)
    await readScreens(db, testProjectIds)
    expect(statements.size).toBeGreaterThan(50)
    expect([...statements].flatMap((sql) => findScans(connection, sql))).toEqual([])
  })

  it('of the stream scans the index of its order and sorts one page at most', async () => {
    const { db, connection, statements } = await openCounting()
    for (const query of listQueries()) await listIssues(db, query)
    const plans = [...statements].map((sql) => planOf(connection, sql))
    const walks = plans.flatMap((plan) => plan.filter((step) => step.startsWith('SEARCH issues')))
    expect(walks.length).toBeGreaterThan(20)
    expect(
      walks.filter(
        (step) => !/INDEX issues_(project_)?(last_seen|first_seen|events|users|trend) /.test(step),
      ),
    ).toEqual([])
    // A sort directly after the scan would be one of all issues; the page is sorted after its subquery.
    const steps = plans.flatMap((plan) => plan.map((step, index) => `${step} → ${plan[index + 1]}`))
    expect(steps.filter((step) => /^SEARCH issues.* → USE TEMP/.test(step))).toEqual([])
  })
})

describe.skipIf(onPostgres)('the list of an issue’s events', () => {
  it('scans the index of its events, from one end of the page to the other, and sorts one page at most', async () => {
    const { db, connection, statements } = await openCounting()
    const list = { projectId: 1, issueId: 1, limit: 25 }
    for (const tags of [[], [['browser', 'Firefox 143']] as const]) {
      for (const side of ['after', 'before'] as const) {
        const cursor = eventCursors.format({ side, position: { occurredAt: 1, eventId: testId('a') } })
        await listIssueEvents(db, { ...list, tags })
        await listIssueEvents(db, { ...list, tags, cursor })
        await listIssueEvents(db, { ...list, tags, cursor, since: 0, until: 9 })
      }
    }
    const plans = [...statements].map((sql) => planOf(connection, sql))
    const walks = plans.flatMap((plan) => plan.filter((step) => /^SEARCH [en] /.test(step)))
    expect(walks.length).toBeGreaterThan(10)
    const isWalk = /INDEX events_of_issue \(project_id=\? AND issue_id=\? AND \(?occurred_at/
    expect(walks.filter((step) => !isWalk.test(step) && !step.startsWith('SEARCH n '))).toEqual([])
    const steps = plans.flatMap((plan) => plan.map((step, index) => `${step} → ${plan[index + 1]}`))
    expect(steps.filter((step) => /^SEARCH [en] .* → USE TEMP/.test(step))).toEqual([])
    expect([...statements].flatMap((sql) => findScans(connection, sql))).toEqual([])
  })
})

/** Every kind of condition, as they are evaluated for one issue after the other. */
const everyKind = [
  'is:regressed is:escalating is:archived_forever is:archived_until_escalating is:archived_until_condition_met level:error',
  'event.type:default assigned:[none, ada@example.com] firstRelease:[latest, web@*] platform:*x* project:p1 environment:prod*',
  'browser:[Firefox, Chrome*, *x*] release:latest user.email:*@example.com has:region release.version:>1.4 stack.function:*x*',
  'timesSeen:>1 users:<9 firstSeen:-7d lastSeen:>2026-11-01 timestamp:2026-11-01 title:x "y z" message:*a*b* "a: b"',
  `id:${testId('a')} trace:${testId('a')} issue:[P1-1, 7]`,
].map(
  (parts) =>
    `!(${parts.replaceAll(' ', ' OR ').replace('[none, OR ', '[none, ').replaceAll(', OR ', ', ').replace('"y OR z"', '"y z"').replace('"a: OR b"', '"a: b"')})`,
)

/** Searches of which an index selects few issues. */
const driving = [
  'region:eu',
  'browser:[Firefox, Chrome]',
  'release:web@*',
  'has:region',
  'user.email:ada@example.com',
  'environment:a',
  'error.type:TypeError',
  'timeout',
  'assigned:me',
  'assigned:[ada@example.com, grace@example.com]',
  'timesSeen:>100',
  'users:<9',
  'firstSeen:-1d',
  'is:new',
  'lastSeen:>2026-11-01',
  `id:${testId('a')}`,
  `trace:${testId('a')}`,
  'issue:[P1-1, 7]',
  'region:eu OR timeout OR (assigned:me level:error)',
]

describe('a user', () => {
  it.each([
    ['with projects', testProjectIds],
    ['without projects', []],
  ])('%s can read every screen', async (_, projectIds) => {
    const { db, statements } = await openCounting()
    await readScreens(db, projectIds)
    const reader = { userId: 'ada', organizationIds: projectIds.slice(0, 1), projectIds }
    await readStreamFrame(db, { ...reader, shortId: { slug: 'web', number: 1 } })
    const scope = projectIds.map((id) => ({ id, slug: `p${id}` }))
    for (const text of ['', ...everyKind, ...driving, 'a\0b browser:"a\0b"']) {
      const found = await listIssues(db, {
        ...page,
        ...search(text),
        projects: scope,
        sort: 'trend',
        statuses: issueStatuses,
      })
      expect(found.issues).toEqual([])
    }
    expect(statements.size).toBeGreaterThan(50)
  })
})

describe.skipIf(onPostgres)('the search of the stream', () => {
  it('is parsed with the meaning that it has in Culvert', () => {
    for (const text of [...everyKind, ...driving]) expect(parseSearch(text).problems).toEqual([])
  })

  it('scans no index of all issues when an index selects few', async () => {
    const { db, connection, statements } = await openCounting()
    // An issue is evaluated in the same way in every order; the orders have their own tests.
    const someQueries = listQueries().filter((_, index) => index % 7 === 0)
    for (const text of driving) {
      for (const query of someQueries) {
        const sort = query.sort === 'events' ? 'trend' : query.sort
        await listIssues(db, { ...query, sort, ...search(`${text} ${everyKind[0]}`) })
      }
    }
    const plans = [...statements].map((sql) => planOf(connection, sql))
    const searches = plans.flatMap((plan) => plan.filter((step) => step.startsWith('SEARCH issues')))
    expect(searches.length).toBeGreaterThan(50)
    const isOfRange =
      /COVERING INDEX issues_project_(?:events|users|first_seen|last_seen) \(project_id=\? AND status=\? AND \w+[<>]\?/
    const isByKey = /\((?:project_id=\? AND id=\?|id=\?)\)/
    expect(searches.filter((step) => !isByKey.test(step) && !isOfRange.test(step))).toEqual([])
    const ofTags = plans.flatMap((plan) => plan.filter((step) => step.startsWith('SEARCH t ')))
    const isSeek =
      /INDEX issue_(?:tags|traits)_value \(project_id=\? AND key=\?|INDEX issue_environments_name \(environment|PRIMARY KEY \(project_id=\? AND issue_id=\?/
    expect(ofTags.length).toBeGreaterThan(10)
    expect(ofTags.filter((step) => !isSeek.test(step))).toEqual([])
    expect([...statements].flatMap((sql) => findScans(connection, sql))).toEqual([])
  })

  it('scans the index of its order when no other index fits, and seeks by issue', async () => {
    const { db, connection, statements } = await openCounting()
    for (const query of listQueries().filter((_, index) => index % 3 === 0)) {
      for (const text of everyKind) await listIssues(db, { ...query, ...search(text) })
    }
    const plans = [...statements].map((sql) => planOf(connection, sql))
    const walks = plans.flatMap((plan) => plan.filter((step) => step.startsWith('SEARCH issues')))
    expect(walks.length).toBeGreaterThan(20)
    expect(
      walks.filter(
        (step) => !/INDEX issues_(project_)?(last_seen|first_seen|events|users|trend) /.test(step),
      ),
    ).toEqual([])
    expect([...statements].flatMap((sql) => findScans(connection, sql))).toEqual([])
    const steps = plans.flatMap((plan) => plan.map((step, index) => `${step} → ${plan[index + 1]}`))
    expect(steps.filter((step) => /^SEARCH issues.* → USE TEMP/.test(step))).toEqual([])
    const ofTags = plans.flatMap((plan) => plan.filter((step) => step.startsWith('SEARCH t ')))
    expect(ofTags.filter((step) => !step.includes('project_id=? AND issue_id=?'))).toEqual([])
  })

  it('finds the end of a slice in the index alone', async () => {
    const { db, connection, statements } = await openCounting()
    for (const query of listQueries()) await listIssues(db, { ...query, ...search('!level:error') })
    const ends = [...statements]
      .filter((sql) => sql.includes(' offset '))
      .flatMap((sql) => planOf(connection, sql))
    expect(ends.length).toBeGreaterThan(10)
    expect(ends.filter((step) => !step.includes('USING COVERING INDEX issues_'))).toEqual([])
  })
})

it.skipIf(onPostgres)('the stream finds its context by index', async () => {
  const { db, connection, statements } = await openCounting()
  const reader = { userId: 'ada', organizationIds: [1], projectIds: testProjectIds }
  await readStreamFrame(db, { ...reader, shortId: { slug: 'web', number: 1 } })
  expect([...statements].flatMap((sql) => findScans(connection, sql))).toEqual([])
})

it.skipIf(onPostgres)('every statement of ingest finds its rows by index', async () => {
  const { connection, engine } = await openTestStore()
  const statements: string[] = []
  const prepare = (sql: string) => {
    statements.push(sql)
    return connection.prepare(sql)
  }
  const recording = { ...engine, prepareRead: prepare, prepareWrite: prepare, prepareChange: prepare }
  prepareIngestStatements({ connection: { prepare }, engine: recording })
  expect(statements.length).toBeGreaterThan(50)
  expect(statements.flatMap((sql) => findScans(connection, sql))).toEqual([])
})
