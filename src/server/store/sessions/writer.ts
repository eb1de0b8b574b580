import { parseReleaseVersion } from '#protocol/release-version.ts'
import { sessionStates } from '#protocol/session.ts'
import { limits } from '#server/limits.ts'
import { noteNewRelease } from '#server/store/alerts/release-writer.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { userHash } from '#server/store/issues/id.ts'
import { addToSketch, toUserHashes } from '#server/store/issues/user-sketch.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import { dayOf, hourOf } from '#time/time-steps.ts'
import type { SessionCommit, SessionItem, SessionRecord, SessionReport } from './record.ts'
import {
  createSeriesCounts,
  hoursAround,
  sumSessions,
  addSessionCounts,
  addSessionStart,
  addSessionUser,
  toCountColumns,
  type SeenUsers,
  type SeriesCounts,
} from './series-counts.ts'

/**
 * Counts the sessions of a batch, each session once in its latest state, however many updates it has. Each
 * hour, day and release is written once. Call inside the batch's transaction. Sessions of a deleted project
 * are dropped. Returns the outcome of each item: releases or environments beyond
 * `limits.sessionSeriesPerProject` are surplus.
 */
export function writeSessions(statements: IngestStatements, items: readonly SessionItem[]): SessionCommit[] {
  const writing: Writing = { statements, allSeries: new Map(), seriesCounts: new Map() }
  expectSessions(statements, items)
  const ends = items.map(({ reports, receivedAt }): SessionCommit => {
    const withSeries = reports.map((report) => ({ report, series: seriesOf(writing, report, receivedAt) }))
    for (const { report, series } of withSeries) {
      if (typeof series === 'object') countReport(statements, series, report)
    }
    return withSeries.some(({ series }) => series === 'surplus') ? 'surplus' : 'counted'
  })
  for (const [, series] of sortedEntries(writing.allSeries)) writeSeries(statements, series)
  return ends
}

/** A batch in progress. */
interface Writing {
  statements: IngestStatements
  /** Series by project, release and environment. */
  allSeries: Map<string, SeriesCounts>
  /** Number of series by project, read before the first new one. */
  seriesCounts: Map<number, number>
}

function countReport(statements: IngestStatements, series: SeriesCounts, report: SessionReport): void {
  if (report.kind === 'session') countSession(statements, series, report)
  else addSessionCounts(series, hourOf(report.startedAt), report.counts)
  addSessionStart(series, report.startedAt)
  noteUser(series, report)
}

/** The series of a report; `gone` if its project was deleted, `surplus` if it has too many series. */
function seriesOf(
  writing: Writing,
  report: SessionReport,
  receivedAt: number,
): SeriesCounts | 'gone' | 'surplus' {
  const { statements, allSeries } = writing
  const { projectId, release, environment } = report
  const key = `${projectId}\0${release}\0${environment}`
  const known = allSeries.get(key)
  if (known !== undefined) return known
  const row = statements.findSeries.get(projectId, release, environment)
  const seriesId = row === undefined ? makeSeries(writing, report, receivedAt) : Number(row['id'])
  if (typeof seriesId === 'string') return seriesId
  const series = createSeriesCounts(seriesId, report)
  allSeries.set(key, series)
  return series
}

/** A release without earlier events is created by its first session. */
function makeSeries(
  { statements, seriesCounts }: Writing,
  { projectId, release, environment, startedAt }: SessionReport,
  receivedAt: number,
): number | 'gone' | 'surplus' {
  const seriesCount =
    seriesCounts.get(projectId) ?? Number(statements.countSeriesOfProject.get(projectId)?.['n'])
  seriesCounts.set(projectId, seriesCount)
  if (seriesCount >= limits.sessionSeriesPerProject) return 'surplus'
  const taken = statements.takeSeriesId.get(projectId)
  if (taken === undefined) return 'gone'
  seriesCounts.set(projectId, seriesCount + 1)
  const seriesId = Number(taken['last_series_id'])
  const { package: ofPackage, order = '' } = parseReleaseVersion(release)
  const at = [startedAt, startedAt, startedAt] as const
  noteNewRelease(statements, { projectId, version: release, environments: [environment], at: receivedAt })
  statements.insertReleaseOfSessions.run(projectId, release, ofPackage, order, ...at)
  statements.insertReleaseEnvironment.run(projectId, release, environment, startedAt)
  statements.insertSeries.run(projectId, release, environment, seriesId, startedAt, startedAt)
  return seriesId
}

/**
 * The state of a session only gets worse: its last update decides, and no update follows a crash. An update
 * that is older than the counted one, or a repeated one, changes nothing.
 */
function countSession(statements: IngestStatements, series: SeriesCounts, record: SessionRecord): void {
  const { projectId, startedAt, seq } = record
  const { seriesId } = series
  const sid = toIdBytes(record.sid)
  const state = sessionStates.indexOf(record.state)
  const row = statements.findCountedSession.get(projectId, ...hoursAround(startedAt), seriesId, sid)
  if (row === undefined) {
    if (isForgotten(statements, record)) return
    const hour = hourOf(startedAt)
    statements.insertCountedSession.run(projectId, hour, seriesId, sid, seq, state)
    addSessionCounts(series, hour, { [record.state]: 1 })
    return
  }
  const [hour, countedSeq, countedState] = [Number(row['hour']), Number(row['seq']), Number(row['state'])]
  if (seq < countedSeq || (seq === countedSeq && state <= countedState)) return
  const worst = Math.max(state, countedState)
  statements.setCountedSession.run(seq, worst, projectId, hour, seriesId, sid)
  const before = sessionStates[countedState]
  if (worst > countedState && before !== undefined) {
    addSessionCounts(series, hour, { [before]: -1, [record.state]: 1 })
  }
}

/**
 * True for an update of a session that was counted so long ago that its id is no longer stored. False for
 * updates that arrive before the first one of their session, which count.
 */
function isForgotten(
  statements: IngestStatements,
  { projectId, startedAt, isFirst }: SessionRecord,
): boolean {
  if (isFirst) return false
  const oldest = statements.findOldestSessionHour.get(projectId)?.['hour']
  return typeof oldest === 'number' && hourOf(startedAt) < oldest
}

function noteUser(series: SeriesCounts, report: SessionReport): void {
  if (report.userKey === undefined) return
  const { userKey, startedAt } = report
  addSessionUser(series, { hash: userHash(userKey), startedAt, hasCrashed: hasCrashed(report) })
}

function hasCrashed(report: SessionReport): boolean {
  return report.kind === 'session' ? report.state === 'crashed' : report.counts.crashed > 0
}

function writeSeries(statements: IngestStatements, series: SeriesCounts): void {
  const { projectId, seriesId, release, environment } = series
  for (const [hour, counts] of sortedEntries(series.hours)) {
    statements.upsertSessionHour.run(projectId, seriesId, hour, ...toCountColumns(counts))
  }
  for (const [day, seen] of sortedEntries(series.days)) {
    const counted = countUsers(
      statements,
      { ...series, day },
      {
        row: statements.findSessionDay.get(projectId, seriesId, day),
        seen,
      },
    )
    statements.setSessionDay.run(projectId, seriesId, day, ...counted)
  }
  const row = statements.findSeries.get(projectId, release, environment)
  const counted = countUsers(statements, { ...series, day: allDays }, { row, seen: usersOf(series) })
  const { firstSessionAt, lastSessionAt } = series
  const added = toCountColumns(sumSessions(series.hours.values()))
  statements.countSeries.run(
    ...added,
    ...counted,
    firstSessionAt,
    firstSessionAt,
    lastSessionAt,
    lastSessionAt,
    projectId,
    release,
    environment,
  )
}

/** Stands for the sketch of all days. */
const allDays = 0

function usersOf({ days }: SeriesCounts): SeenUsers {
  const users: SeenUsers = { all: new Set(), crashed: new Set() }
  for (const { all, crashed } of days.values()) {
    for (const hash of all) users.all.add(hash)
    for (const hash of crashed) users.crashed.add(hash)
  }
  return users
}

interface UserSketchKey {
  projectId: number
  seriesId: number
  day: number
}

/** Adds users to the two sketches of a day. Returns the number of users, and of those with a crash. */
function countUsers(
  statements: IngestStatements,
  { projectId, seriesId, day }: UserSketchKey,
  { row, seen }: { row: Record<string, unknown> | undefined; seen: SeenUsers },
): [userCount: number, crashedUserCount: number] {
  const add = (isCrashed: 0 | 1, counted: number, hashes: Iterable<number>) => {
    const key = [projectId, seriesId, day, isCrashed] as const
    const rows = {
      insert: (hash: number) => Number(statements.insertSessionUser.run(...key, hash).changes) > 0,
      remove: (hash: number) => void statements.deleteSessionUser.run(...key, hash),
      readLargest: (limit: number) => toUserHashes(statements.readLargestSessionUsers.all(...key, limit)),
    }
    return addToSketch(rows, counted, hashes)
  }
  return [
    add(0, Number(row?.['user_count'] ?? 0), seen.all),
    add(1, Number(row?.['crashed_user_count'] ?? 0), seen.crashed),
  ]
}

/** Announces the reads for sessions, on an engine where a read is a round trip. */
function expectSessions(statements: IngestStatements, items: readonly SessionItem[]): void {
  if (statements.findSeries.expect === undefined) return
  const reports = items.flatMap((item) => item.reports)
  for (const { projectId, release, environment } of reports)
    statements.findSeries.expect(projectId, release, environment)
  for (const report of reports) {
    const { projectId, release, environment, startedAt } = report
    const seriesId = statements.findSeries.get(projectId, release, environment)?.['id']
    if (typeof seriesId !== 'number') continue
    if (report.kind === 'session')
      statements.findCountedSession.expect?.(
        projectId,
        ...hoursAround(startedAt),
        seriesId,
        toIdBytes(report.sid),
      )
    statements.findSessionDay.expect?.(projectId, seriesId, dayOf(startedAt))
    if (report.userKey === undefined) continue
    const hash = userHash(report.userKey)
    for (const day of [dayOf(startedAt), allDays])
      for (const isCrashed of hasCrashed(report) ? [0, 1] : [0])
        statements.insertSessionUser.expect?.(projectId, seriesId, day, isCrashed, hash)
  }
}
