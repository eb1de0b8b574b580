import { sessionStates, type SessionState } from '#protocol/session.ts'
import { dayOf, hourMs, hourOf } from '#time/time-steps.ts'
import type { SessionReport } from './record.ts'

/** The change in the number of sessions per state; negative if sessions have changed to another state. */
export type SessionCounts = Record<SessionState, number>

/** The users of a batch, by hash. */
export interface SeenUsers {
  all: Set<number>
  crashed: Set<number>
}

/** The counts of a batch for a release in an environment. */
export interface SeriesCounts {
  seriesId: number
  projectId: number
  release: string
  environment: string
  firstSessionAt: number
  lastSessionAt: number
  hours: Map<number, SessionCounts>
  days: Map<number, SeenUsers>
}

/** Empty counts of a series. */
export function createSeriesCounts(
  seriesId: number,
  { projectId, release, environment, startedAt }: SessionReport,
): SeriesCounts {
  return {
    seriesId,
    projectId,
    release,
    environment,
    firstSessionAt: startedAt,
    lastSessionAt: startedAt,
    hours: new Map(),
    days: new Map(),
  }
}

/** Adds sessions that began in an hour; a negative number subtracts. */
export function addSessionCounts(
  series: SeriesCounts,
  hour: number,
  added: Readonly<Partial<SessionCounts>>,
): void {
  const counts = series.hours.get(hour) ?? createCounts()
  for (const state of sessionStates) counts[state] += added[state] ?? 0
  series.hours.set(hour, counts)
}

/** Extends the period of the series by a session's start. */
export function addSessionStart(series: SeriesCounts, startedAt: number): void {
  series.firstSessionAt = Math.min(series.firstSessionAt, startedAt)
  series.lastSessionAt = Math.max(series.lastSessionAt, startedAt)
}

/** Adds a user of a session. */
export function addSessionUser(
  series: SeriesCounts,
  { hash, startedAt, hasCrashed }: { hash: number; startedAt: number; hasCrashed: boolean },
): void {
  const day = dayOf(startedAt)
  const seen = series.days.get(day) ?? { all: new Set(), crashed: new Set() }
  seen.all.add(hash)
  if (hasCrashed) seen.crashed.add(hash)
  series.days.set(day, seen)
}

/** The three hours in which a session with this start can have been counted, the most likely first. */
export function hoursAround(startedAt: number): [number, number, number] {
  const hour = hourOf(startedAt)
  return [hour, hour - hourMs, hour + hourMs]
}

function createCounts(): SessionCounts {
  return { healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
}

/** The sum of all sessions, including healthy ones. */
export function sumSessions(counts: Iterable<Readonly<SessionCounts>>): SessionCounts {
  const sum = createCounts()
  for (const each of counts) for (const state of sessionStates) sum[state] += each[state]
  return sum
}

/** The columns of `session_hours` and `session_series`, in order: all sessions, and unhealthy ones. */
export function toCountColumns({ healthy, errored, unhandled, abnormal, crashed }: Readonly<SessionCounts>) {
  const sessionCount = healthy + errored + unhandled + abnormal + crashed
  return [sessionCount, errored, unhandled, abnormal, crashed] as const
}
