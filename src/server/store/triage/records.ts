import type { IssueStatus, Person, PersonReference } from '#server/store/issues/records.ts'
import type { ReopenCondition } from './reopen-condition.ts'

/** The possible assignees of an issue, and the releases that it can be resolved in. */
export interface IssueChoices {
  /** The users with access to the project. */
  people: Person[]
  /** Names of the project's newest releases, newest first. */
  releases: string[]
}

/** The triage of an issue. */
export interface IssueTriage extends IssueChoices {
  /** The newest `limits.activityShown`, oldest first; also of merged issues. */
  activity: ActivityEntry[]
  /** The merged issues that it is the sum of; empty unless there was a merge. */
  parts: IssuePart[]
}

/** An issue in the activity of another one. */
export interface IssueName {
  issueId: string
  title: string
  shortId: string
}

/** A change of an issue, by a user or by the system. */
export type ActivityEntry = { id: string; at: number; by?: PersonReference } & ActivityChange

/** Why an archived issue was reopened. */
export type ReopenReason = 'time' | 'events' | 'users' | 'escalation'

/** The commit whose message resolved an issue. */
export interface FixCommit {
  id: string
  repository?: string
  /** The first line of its message. */
  subject: string
  authorName?: string
}

export type ActivityChange =
  | {
      kind: 'status'
      status: IssueStatus
      reopenCondition?: ReopenCondition
      commit?: FixCommit
      /** By its monitor, which works again. */
      isRecovery?: boolean
    }
  | { kind: 'assigned'; assignee?: PersonReference }
  /** Markdown. `mentions`: what follows `@` where it mentions users. */
  | { kind: 'comment'; text: string; mentions: string[]; editedAt?: number }
  | { kind: 'merged' | 'unmerged'; issues: IssueName[] }
  | { kind: 'merged_into' | 'unmerged_from'; issue: IssueName }
  | { kind: 'regressed'; release?: string }
  | { kind: 'reopened'; reason: ReopenReason }
  | { kind: 'undone' }
  | { kind: 'linked' | 'unlinked' | 'link_closed' | 'link_reopened'; link: Pick<IssueLink, 'url' | 'name'> }

/** An issue of a tracker, such as GitHub, that belongs to an issue. */
export interface IssueLink {
  url: string
  /** `acme/shop#12` */
  name: string
  isClosed: boolean
  /** Unix milliseconds. */
  createdAt: number
}

/** An issue that was merged into another one, or what that one was before. */
export interface IssuePart {
  id: string
  shortId: string
  title: string
  subtitle: string
  eventCount: number
  lastSeenAt: number
  /** The original issue: it cannot be unmerged. */
  isOwn: boolean
}
