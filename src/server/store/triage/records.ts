import type { IssueStatus, Person, PersonReference } from '#server/store/issues/records.ts'
import type { ReopenCondition } from './reopen-condition.ts'

/** Who an issue can be given to, and what it can be resolved in. */
export interface IssueChoices {
  /** Who can be assigned. */
  people: Person[]
  /** Names of the project's newest releases, newest first. */
  releases: string[]
}

/** What people do with an issue. */
export interface IssueTriage extends IssueChoices {
  /** The newest `limits.activityShown`, oldest first; of what was merged into the issue too. */
  activity: ActivityEntry[]
  /** What the issue is the sum of; empty unless something was merged into it. */
  parts: IssuePart[]
}

/** An issue as others are told of it. */
export interface IssueName {
  issueId: string
  title: string
  shortId: string
}

/** Something that was done to an issue, by somebody or by itself. */
export type ActivityEntry = { id: string; at: number; by?: PersonReference } & ActivityChange

/** Why an archived issue was reopened. */
export type ReopenReason = 'time' | 'events' | 'users' | 'escalation'

export type ActivityChange =
  | { kind: 'status'; status: IssueStatus; reopenCondition?: ReopenCondition }
  | { kind: 'assigned'; assignee?: PersonReference }
  /** Markdown. */
  | { kind: 'comment'; text: string; editedAt?: number }
  | { kind: 'merged' | 'unmerged'; issues: IssueName[] }
  | { kind: 'merged_into' | 'unmerged_from'; issue: IssueName }
  | { kind: 'regressed'; release?: string }
  | { kind: 'reopened'; reason: ReopenReason }
  | { kind: 'undone' }

/** What was merged into an issue, or what the issue was before. */
export interface IssuePart {
  id: string
  shortId: string
  title: string
  subtitle: string
  eventCount: number
  lastSeenAt: number
  /** What the issue was before: nothing to be taken out. */
  isOwn: boolean
}
