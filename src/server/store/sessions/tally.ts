import { sessionStates, type SessionState } from '#protocol/session.ts'
import { dayOf, hourMs, hourOf } from '#time/time-steps.ts'
import type { SessionReport } from './record.ts'

/**
 * How many sessions more there are of each state; less than zero where some have moved on to another state.
 */
export type SessionCounts = Record<SessionState, number>

/** Users that a batch saw, by their hashes. */
export interface SeenUsers {
  all: Set<number>
  crashed: Set<number>
}

/** What a batch adds to a release in an environment. */
export interface SeriesTally {
  seriesId: number
  projectId: number
  release: string
  environment: string
  firstSessionAt: number
  lastSessionAt: number
  hours: Map<number, SessionCounts>
  days: Map<number, SeenUsers>
}

/** A tally with nothing in it yet. */
export function createSeriesTally(
  seriesId: number,
  { projectId, release, environment, startedAt }: SessionReport,
): SeriesTally {
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

/** Adds sessions that began in an hour; a negative number takes some away. */
export function tallySessions(
  tally: SeriesTally,
  hour: number,
  added: Readonly<Partial<SessionCounts>>,
): void {
  const counts = tally.hours.get(hour) ?? createCounts()
  for (const state of sessionStates) counts[state] += added[state] ?? 0
  tally.hours.set(hour, counts)
}

/** Notes when sessions began, so that their release is known to be in use. */
export function tallyStart(tally: SeriesTally, startedAt: number): void {
  tally.firstSessionAt = Math.min(tally.firstSessionAt, startedAt)
  tally.lastSessionAt = Math.max(tally.lastSessionAt, startedAt)
}

/** Notes who had a session. */
export function tallyUser(
  tally: SeriesTally,
  { hash, startedAt, hasCrashed }: { hash: number; startedAt: number; hasCrashed: boolean },
): void {
  const day = dayOf(startedAt)
  const seen = tally.days.get(day) ?? { all: new Set(), crashed: new Set() }
  seen.all.add(hash)
  if (hasCrashed) seen.crashed.add(hash)
  tally.days.set(day, seen)
}

/** The three hours in which a session that began then can have been counted, the likeliest first. */
export function hoursAround(startedAt: number): [number, number, number] {
  const hour = hourOf(startedAt)
  return [hour, hour - hourMs, hour + hourMs]
}

function createCounts(): SessionCounts {
  return { healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
}

/** All of them together, with those that are healthy. */
export function sumSessions(counts: Iterable<Readonly<SessionCounts>>): SessionCounts {
  const sum = createCounts()
  for (const each of counts) for (const state of sessionStates) sum[state] += each[state]
  return sum
}

/**
 * The columns of `session_hours` and `session_series`, in their order: all sessions, and those that were not
 * healthy.
 */
export function toCountColumns({ healthy, errored, unhandled, abnormal, crashed }: Readonly<SessionCounts>) {
  const sessionCount = healthy + errored + unhandled + abnormal + crashed
  return [sessionCount, errored, unhandled, abnormal, crashed] as const
}
