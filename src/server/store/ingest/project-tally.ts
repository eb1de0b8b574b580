import { hourOf } from '#time/time-steps.ts'
import type { EventRecord, OutcomeCount } from './records.ts'

/** What one batch adds to the counters of its projects. */
export interface ProjectTally {
  releases: Map<string, ReleaseTally>
  environments: Map<string, SeenTally>
  outcomes: Map<string, OutcomeTally>
}

/** Events of one project that share a name: a release's version, or an environment. */
export interface SeenTally {
  projectId: number
  name: string
  firstSeenAt: number
  lastSeenAt: number
  eventCount: number
}

/** Events of one release. */
export interface ReleaseTally extends SeenTally {
  environments: Set<string>
}

/** `OutcomeCount` of one hour; `hour` is when it began. */
export interface OutcomeTally extends Omit<OutcomeCount, 'at'> {
  hour: number
}

/** An empty tally. */
export function createProjectTally(): ProjectTally {
  return { releases: new Map(), environments: new Map(), outcomes: new Map() }
}

/** Counts the release and the environment of one stored event. */
export function tallySeen(tally: ProjectTally, event: EventRecord): void {
  if (event.release !== undefined) {
    const key = `${event.projectId}\0${event.release}`
    const release = tally.releases.get(key)
    if (release) addSeen(release, event).environments.add(event.environment)
    else
      tally.releases.set(key, {
        ...startSeen(event.release, event),
        environments: new Set([event.environment]),
      })
  }
  const key = `${event.projectId}\0${event.environment}`
  const environment = tally.environments.get(key)
  if (environment) addSeen(environment, event)
  else tally.environments.set(key, startSeen(event.environment, event))
}

/** Adds items with the same outcome. */
export function tallyOutcome(tally: ProjectTally, count: OutcomeCount): void {
  const { projectId, category, outcome, reason, quantity } = count
  const hour = hourOf(count.at)
  const key = `${projectId}\0${hour}\0${category}\0${outcome}\0${reason}`
  const counted = tally.outcomes.get(key)
  if (counted) counted.quantity += quantity
  else tally.outcomes.set(key, { projectId, hour, category, outcome, reason, quantity })
}

function startSeen(name: string, { projectId, occurredAt }: EventRecord): SeenTally {
  return { projectId, name, firstSeenAt: occurredAt, lastSeenAt: occurredAt, eventCount: 1 }
}

function addSeen<Tally extends SeenTally>(seen: Tally, { occurredAt }: EventRecord): Tally {
  seen.eventCount += 1
  seen.firstSeenAt = Math.min(seen.firstSeenAt, occurredAt)
  seen.lastSeenAt = Math.max(seen.lastSeenAt, occurredAt)
  return seen
}
