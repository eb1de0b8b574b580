import type * as v from 'valibot'
import type { Level } from '#protocol/event.ts'
import type { SearchProblem } from '#search/term.ts'
import type { EventView } from '#server/console/events/views.ts'
import type { ArrivalLine } from '#server/console/outcomes/views.ts'
import type { SentMessage } from '#server/store/alerts/records.ts'
import type { EventPosition } from '#server/store/events/records.ts'
import type {
  IssueStatus,
  BarSpan,
  Person,
  PersonReference,
  IssueSummary,
  IssueHistograms,
  ReleaseMark,
  SimilarIssue,
  TagDistribution,
  IssueListRow,
  IssueMark,
  StatusCount,
  StoredSearch,
} from '#server/store/issues/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { CommitSummary } from '#server/store/releases/records.ts'
import type { IssueLink, IssueName } from '#server/store/triage/records.ts'
import type { issueListSearch } from './issues.search.ts'
import type { IssueTriageView } from './triage-views.ts'

/** The URL of the issue stream. */
export type IssueSearch = Partial<v.InferOutput<typeof issueListSearch>>

/** The part of the URL that a saved search stores. */
export type SavedIssueSearch = Omit<IssueSearch, 'cursor'>

/** A saved search. */
export interface SavedSearch extends Omit<StoredSearch, 'searchJson' | 'isOwn'> {
  search: SavedIssueSearch
  /** The reader may change and delete it. */
  canChange: boolean
}

/** The tracker's issues that are linked to an issue. */
export interface IssueTrackerView {
  links: IssueLink[]
  /** The project's tracker; absent without one. */
  tracker?: {
    /** `GitHub` */
    name: string
    /** The URL of its form with filled-in fields; absent if issues are created with a token. */
    newUrl?: string
  }
}

export interface IssueView extends EventView, IssueTrackerView {
  /** True if the viewer may resolve, archive and reopen it. */
  canTriage: boolean
  trend: IssueHistograms
  /** Releases of the project in the period of the trend, oldest first. */
  releases: ReleaseMark[]
  similar: SimilarIssue[]
  tags: TagDistribution[]
  triage: IssueTriageView
  /** The newest first. */
  sentMessages: SentMessage[]
  /** Owners of the event's code; absent if the settings name none. */
  owners?: ResolvedOwners
  /** Commits of the first release that changed files in the event's stack trace, most likely cause first. */
  suspects: SuspectCommit[]
  /** The delay with which the oldest event of the project is counted; absent unless it is unusual. */
  countsDelayMs?: number
}

/** The data of an open page about an issue that events and users change. */
export interface IssueProgressView {
  now: number
  issue: IssueSummary
  /** `IssueTriageView.activityVersion` */
  activityVersion: string
  trend: IssueHistograms
  /** The position of the shown event; absent if the page shows none, or the issue no longer has it. */
  position?: EventPosition
}

/** Why the issue of an open page is no longer there: it was merged, or it is not found. */
export type IssueRemoval = { kind: 'merged'; into: IssueName } | { kind: 'missing' }

/** The owners of code, with the line of the settings that names them. */
export interface ResolvedOwners {
  /** `name` as written in the rules; without a user it is a team, or unknown. */
  owners: { name: string; user?: { userId: string; name: string } }[]
  source: 'rules' | 'codeowners'
  /** From 1. */
  line: number
  text: string
}

/** A commit that may have caused an issue. */
export interface SuspectCommit extends CommitSummary {
  /** The user with the author's email address. */
  author?: PersonReference
  /** The changed file in the stack trace. */
  path: string
  /** The URL of the commit in the code host. */
  url?: string
}

/** An event in the list of an issue's events. */
export interface IssueEventRow {
  eventId: string
  occurredAt: number
  level: Level
  /** The event's message, or else its title. Set in all rows of a page if one differs from the issue's. */
  message?: string
  /** The event's URL. Set in all rows of a page with equal messages and different URLs. */
  url?: string
  /** The affected user, by a readable identifier. */
  user?: string
  environment: string
  release?: string
  browser?: string
  system?: string
}

/** The list of an issue's events. */
export interface IssueEventsView {
  now: number
  issue: IssueSummary
  events: IssueEventRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** How far back the search for the tags went, if it did not reach the oldest event. */
  searchedTo?: number
  /** The issue's tags, as options of the filter. */
  tags: TagDistribution[]
}

/** The tags of an issue: all keys with their most frequent values, or one key with all values. */
export interface IssueTagsView {
  now: number
  issue: IssueSummary
  tags: TagDistribution[]
}

/** A parsed search. */
export interface SearchQuery {
  /** The parts that cannot be parsed, which the list ignores. */
  problems: SearchProblem[]
  /** The statuses in the text itself, which replace the chosen one. */
  statuses?: IssueStatus[]
  /** The text without conditions on the status. */
  withoutStatuses: string
  /** Search keys that were interpreted as tags because the language has no key of that name. */
  tagKeys: string[]
  /** The reason why a text in the form of a short id matches no issue. */
  shortIdHint?: string
  /** Alternative searches if nothing was found, with the number of their matches (completes "issues …"). */
  hints?: { text: string; description: string }[]
}

/** Culvert's own project, whose issues are left out of a list. */
export interface OwnIssues extends Pick<ProjectName, 'slug' | 'name'> {
  /** The number of its unresolved issues, at least one. */
  unresolved: StatusCount
}

export interface IssueListView {
  /** The server time of the counts. */
  now: number
  /** The user whose list it is. */
  viewerId: string
  /** True if the viewer may change issues of some project. */
  canTriage: boolean
  /** True if the viewer may delete them. */
  canDelete: boolean
  /** Possible assignees, by name; empty for viewers who cannot assign. */
  people: Person[]
  issues: IssueListRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** The progress marks of the listed projects at the time of the read. */
  marks: Record<number, IssueMark>
  /** Present if not all issues have been scanned: the link that continues the scan. */
  cutShort?: 'next' | 'previous'
  projects: ProjectName[]
  /** Present if the list leaves out unresolved issues of Culvert's own project, for viewers who manage it. */
  own?: OwnIssues
  environments: string[]
  /** True if the projects of the list have no events: the empty state explains setup instead of filters. */
  isEmptyInstallation: boolean
  /** Present while the projects of the list have no issues. */
  waiting?: WaitingView
  /** The period of the bars of a row. */
  bars: BarSpan
  query: SearchQuery
  /** The delay with which the oldest event of the projects is counted; absent unless it is unusual. */
  countsDelayMs?: number
  /** The statuses whose issues are listed. */
  shownStatuses: readonly IssueStatus[]
  /** The number of issues that the search finds, by status. */
  counts: Record<IssueStatus, StatusCount>
  savedSearches: SavedSearch[]
  /** Organizations with which the reader may share a search. */
  sharing: { organizationId: number; name: string }[]
  /** Set if the search identifies exactly one issue. */
  hit?: { issueId: string }
  /** The reader's default search, if the URL contains none. */
  redirectSearch?: SavedIssueSearch
}

/** The data of an empty list, for projects that wait for their first event. */
export interface WaitingView {
  /** The project to set up, if it is the only one or the one of the filter. */
  project?: ProjectName
  /** Outcomes of the items of the last 24 hours. */
  arrivals: ArrivalLine[]
}
