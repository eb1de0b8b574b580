import { outcomeKinds, type OutcomeKind } from '#protocol/outcome.ts'
import type { RejectionReason } from '#protocol/rejection.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** Outcomes in the groups and order of the screen: data that Culvert does not store is not a client error. */
export const shownOutcomes = [...outcomeKinds, 'unsupported'] as const

export type ShownOutcome = OutcomeKind | 'unsupported'

/** A number of items of one category with the same outcome and reason. */
export interface OutcomeTotal {
  outcome: ShownOutcome
  /** Empty for `accepted`. */
  reason: string
  /** Relay's data category. */
  category: string
  quantity: number
}

/** Requests that were rejected as a whole for one reason. */
export interface RejectedRequestCount {
  reason: RejectionReason
  requestCount: number
}

/** A sample of a filtered item without its payload. */
export interface FilterSampleSummary {
  /** Unique among all samples. */
  id: string
  project: ProjectName
  reason: string
  /** Relay's data category. */
  category: string
  receivedAt: number
  title: string
  environment?: string
  release?: string
  payloadBytes: number
}

/** A dead letter without its bytes. */
export interface DeadLetterSummary {
  /** Unique within its project. */
  id: string
  project: ProjectName
  /** The item type in the item's header. */
  itemType: string
  /** The message of the error. */
  reason: string
  receivedAt: number
  payloadBytes: number
}
