import type { EventRecord, OutcomeCount } from './event-record.ts'
import { hourOf } from './hour.ts'

/** What one batch adds to the counters of its projects. */
export interface ProjectTally {
  releases: Map<string, SeenTally>
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
  if (event.release !== undefined) addSeen(tally.releases, event.release, event)
  addSeen(tally.environments, event.environment, event)
}

/** Adds items that came to the same end. */
export function tallyOutcome(tally: ProjectTally, count: OutcomeCount): void {
  const { projectId, category, outcome, reason, quantity } = count
  const hour = hourOf(count.at)
  const key = `${projectId}\0${hour}\0${category}\0${outcome}\0${reason}`
  const counted = tally.outcomes.get(key)
  if (counted) counted.quantity += quantity
  else tally.outcomes.set(key, { projectId, hour, category, outcome, reason, quantity })
}

function addSeen(names: Map<string, SeenTally>, name: string, { projectId, occurredAt }: EventRecord): void {
  const key = `${projectId}\0${name}`
  const seen = names.get(key)
  if (seen) {
    seen.eventCount += 1
    seen.firstSeenAt = Math.min(seen.firstSeenAt, occurredAt)
    seen.lastSeenAt = Math.max(seen.lastSeenAt, occurredAt)
  } else {
    names.set(key, { projectId, name, firstSeenAt: occurredAt, lastSeenAt: occurredAt, eventCount: 1 })
  }
}
