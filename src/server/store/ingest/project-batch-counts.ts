import { hourOf } from '#time/time-steps.ts'
import type { EventRecord, OutcomeCount } from './records.ts'

/** The counts of one batch for its projects. */
export interface ProjectBatchCounts {
  releases: Map<string, SeenRelease>
  environments: Map<string, SeenPeriod>
  outcomes: Map<string, HourlyOutcome>
  /** By project: the first event that spike protection only counted. */
  spikes: Map<number, { issueId: number; at: number }>
}

/** The period of the events of a project with the same release or environment. */
export interface SeenPeriod {
  projectId: number
  name: string
  firstSeenAt: number
  lastSeenAt: number
  eventCount: number
}

/** The events of a release. `receivedAt`: when the first of them was received, in Unix milliseconds. */
export interface SeenRelease extends SeenPeriod {
  environments: Set<string>
  /** True if all of them are from another tracker. */
  isImported: boolean
  receivedAt: number
}

/** An `OutcomeCount` of one hour. `hour` is the start of the hour, `at` the time of the first count. */
export interface HourlyOutcome extends OutcomeCount {
  hour: number
}

/** Creates empty counts. */
export function createProjectBatchCounts(): ProjectBatchCounts {
  return { releases: new Map(), environments: new Map(), outcomes: new Map(), spikes: new Map() }
}

/** Counts the release and the environment of one stored event. */
export function addSeen(counts: ProjectBatchCounts, event: EventRecord): void {
  if (event.release !== undefined) {
    const key = `${event.projectId}\0${event.release}`
    const release = counts.releases.get(key)
    if (release) {
      extendPeriod(release, event).environments.add(event.environment)
      release.isImported &&= event.isImported === true
    } else
      counts.releases.set(key, {
        ...startPeriod(event.release, event),
        environments: new Set([event.environment]),
        isImported: event.isImported === true,
        receivedAt: event.receivedAt,
      })
  }
  const key = `${event.projectId}\0${event.environment}`
  const environment = counts.environments.get(key)
  if (environment) extendPeriod(environment, event)
  else counts.environments.set(key, startPeriod(event.environment, event))
}

/** Adds items with the same outcome. */
export function addOutcome(counts: ProjectBatchCounts, count: OutcomeCount): void {
  const { projectId, category, outcome, reason, quantity } = count
  const hour = hourOf(count.at)
  const key = `${projectId}\0${hour}\0${category}\0${outcome}\0${reason}`
  const counted = counts.outcomes.get(key)
  if (counted) counted.quantity += quantity
  else counts.outcomes.set(key, { ...count, hour })
}

function startPeriod(name: string, { projectId, occurredAt }: EventRecord): SeenPeriod {
  return { projectId, name, firstSeenAt: occurredAt, lastSeenAt: occurredAt, eventCount: 1 }
}

function extendPeriod<Period extends SeenPeriod>(seen: Period, { occurredAt }: EventRecord): Period {
  seen.eventCount += 1
  seen.firstSeenAt = Math.min(seen.firstSeenAt, occurredAt)
  seen.lastSeenAt = Math.max(seen.lastSeenAt, occurredAt)
  return seen
}
