import type { IssueStatus, IssueSummary, Person, PersonReference } from '#server/store/issues/records.ts'
import type { ReopenCondition } from './reopen-condition.ts'

/** The possible assignees of an issue, and the releases it can be resolved in. */
export interface IssueChoices {
  /** The users with access to the project. */
  people: Person[]
  /** Names of the project's latest release, which comes first, and of its newest ones by date. */
  releases: string[]
}

/** The triage data of an issue. */
export interface IssueTriage extends IssueChoices {
  /** The newest `limits.activityShown` entries, oldest first, including those of merged issues. */
  activity: ActivityEntry[]
  /** Changes with every new, edited and deleted entry of `activity`. */
  activityVersion: string
  /** The merged issues; empty unless there was a merge. */
  parts: IssuePart[]
}

/** An issue that an activity of another issue refers to. */
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

/** What a user undid, without the issues that it concerned. */
export type UndoneChange = 'merge' | 'unmerge' | 'status' | 'assignment'

export type ActivityChange =
  | {
      kind: 'status'
      status: IssueStatus
      reopenCondition?: ReopenCondition
      commit?: FixCommit
      /** True if its monitor has recovered. */
      isRecovery?: boolean
    }
  /** `isAccessEnded`: unassigned because the assignee has no access to the project any more. */
  | { kind: 'assigned'; assignee?: PersonReference; isAccessEnded?: boolean }
  /** `text` is Markdown. `mentions`: the texts after `@` that mention users. */
  | { kind: 'comment'; text: string; mentions: string[]; editedAt?: number }
  | { kind: 'merged' | 'unmerged'; issues: IssueName[] }
  | { kind: 'merged_into' | 'unmerged_from'; issue: IssueName }
  | { kind: 'regressed'; release?: string }
  | { kind: 'reopened'; reason: ReopenReason }
  | { kind: 'undone'; change?: UndoneChange }
  | { kind: 'linked' | 'unlinked' | 'link_closed' | 'link_reopened'; link: Pick<IssueLink, 'url' | 'name'> }

/** A tracker's issue, for example on GitHub, that is linked to an issue. */
export interface IssueLink {
  url: string
  /** `acme/shop#12` */
  name: string
  isClosed: boolean
  /** Unix milliseconds. */
  createdAt: number
}

/** An issue that was merged into another one, or the original part of that one. */
export interface IssuePart extends Pick<
  IssueSummary,
  'id' | 'shortId' | 'title' | 'subtitle' | 'eventCount' | 'lastSeenAt'
> {
  /** True for the original issue, which cannot be unmerged. */
  isOwn: boolean
}

/** A group hash whose issue was deleted and whose events are discarded. */
export interface DiscardedHash {
  /** 32 lower-case hex digits. */
  hash: string
  title: string
  subtitle: string
  discardedAt: number
  /** The user who discarded it. */
  userName: string
}
