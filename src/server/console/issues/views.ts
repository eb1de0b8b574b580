import type * as v from 'valibot'
import type { Level } from '#protocol/event.ts'
import type { SearchProblem } from '#search/term.ts'
import type { EventView } from '#server/console/events/views.ts'
import type { ArrivalLine } from '#server/console/outcomes/views.ts'
import type { SentMessage } from '#server/store/alerts/records.ts'
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
import type { IssueLink } from '#server/store/triage/records.ts'
import type { issueListSearch } from './issues.search.ts'
import type { IssueTriageView } from './triage-views.ts'

/** The URL of the issue stream. */
export type IssueSearch = Partial<v.InferOutput<typeof issueListSearch>>

/** The part of the URL that a saved search keeps. */
export type SavedIssueSearch = Omit<IssueSearch, 'cursor'>

/** A saved search. */
export interface SavedSearch extends Omit<StoredSearch, 'searchJson'> {
  search: SavedIssueSearch
}

/** The issues of a tracker that belong to an issue. */
export interface IssueTrackerView {
  links: IssueLink[]
  /** Of the project; absent without one. */
  tracker?: {
    /** `GitHub` */
    name: string
    /** Its form, filled in; absent where issues are created by token. */
    newUrl?: string
  }
}

export interface IssueView extends EventView, IssueTrackerView {
  /** The viewer may resolve, archive and reopen it. */
  mayTriage: boolean
  trend: IssueHistograms
  /** Of the project, in the time that the trend shows; oldest first. */
  releases: ReleaseMark[]
  similar: SimilarIssue[]
  tags: TagDistribution[]
  triage: IssueTriageView
  /** The newest first. */
  sentMessages: SentMessage[]
  /** Of the code of its event; absent where nothing names them. */
  owners?: ResolvedOwners
  /** Of its first release, that changed files of the event's stack trace; the most likely cause first. */
  suspects: SuspectCommit[]
  /** For how long the oldest event of the project has waited to be counted; absent while that is usual. */
  countsDelayMs?: number
}

/** The owners of code, and the line of the settings that names them. */
export interface ResolvedOwners {
  /** `name` as it was written; without a user it is a team, or unknown. */
  owners: { name: string; user?: { userId: string; name: string } }[]
  source: 'rules' | 'codeowners'
  /** From 1. */
  line: number
  text: string
}

/** A commit that may have caused an issue. */
export interface SuspectCommit extends CommitSummary {
  /** The user with the address of its author. */
  author?: PersonReference
  /** The file of the stack trace that it changed. */
  path: string
  /** In the code host. */
  url?: string
}

/** One event in the list of its issue's. */
export interface IssueEventRow {
  eventId: string
  occurredAt: number
  level: Level
  /** Its message, else its title: present in all rows of a page where one differs from the issue's. */
  message?: string
  /** Where it happened: present in all rows of a page with the same messages and different URLs. */
  url?: string
  /** The affected user, as users would name them. */
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
  /** How far back it was looked for the tags, when that was not to the end. */
  searchedTo?: number
  /** The issue's tags, to choose from. */
  tags: TagDistribution[]
}

/** The tags of an issue: all keys with their most frequent values, or one key with all. */
export interface IssueTagsView {
  now: number
  issue: IssueSummary
  tags: TagDistribution[]
}

/** A search as it was understood. */
export interface SearchQuery {
  /** The parts that were not understood; the list ignores them. */
  problems: SearchProblem[]
  /** Those that the text itself names, instead of the chosen one. */
  statuses?: IssueStatus[]
  /** The text without what names a status. */
  withoutStatuses: string
  /** Search keys that were interpreted as tags because the language has no key of that name. */
  tagKeys: string[]
  /** Why the text leads to no issue, where it looks like a short id. */
  shortIdHint?: string
  /** Other searches to try if nothing was found, with their number of matches (completes "issues …"). */
  hints?: { text: string; description: string }[]
}

/** Culvert's own project, whose issues a list leaves out. */
export interface OwnIssues extends Pick<ProjectName, 'slug' | 'name'> {
  /** Its unresolved issues; there are some. */
  unresolved: StatusCount
}

export interface IssueListView {
  /** Server time the counts were read at. */
  now: number
  /** Whose list it is. */
  viewerId: string
  /** The viewer may change issues of some project. */
  mayTriage: boolean
  /** And delete them. */
  mayDelete: boolean
  /** Possible assignees, by name; empty for viewers who cannot assign. */
  people: Person[]
  issues: IssueListRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** By project of the list: the progress marks of its issues when the list was read. */
  marks: Record<number, IssueMark>
  /** Present when not all issues have been scanned yet: which page continues the scan. */
  cutShort?: 'next' | 'previous'
  projects: ProjectName[]
  /** Present where the list leaves out issues of Culvert's own that the viewer looks after. */
  own?: OwnIssues
  environments: string[]
  /**
   * True when the projects of the list hold no event at all: the empty state explains set-up instead of
   * filters.
   */
  isEmptyInstallation: boolean
  /** Present while the projects of the list have no issue at all. */
  waiting?: WaitingView
  /** The period of the bars of a row. */
  bars: BarSpan
  query: SearchQuery
  /** For how long the oldest event of its projects has waited to be counted; absent while that is usual. */
  countsDelayMs?: number
  /** The statuses whose issues are listed. */
  shownStatuses: readonly IssueStatus[]
  /** Of the issues that the search finds in any status. */
  counts: Record<IssueStatus, StatusCount>
  savedSearches: SavedSearch[]
  /** Organizations that the reader may share a search with, and those whose shared searches it may change. */
  sharing: { organizationId: number; name: string; mayChangeAll: boolean }[]
  /** The search names one thing, and here it is. */
  hit?: { issueId: string }
  /** Without a search in the address: the reader's default. */
  redirectSearch?: SavedIssueSearch
}

/** The data of an empty list about projects that wait for their first event. */
export interface WaitingView {
  /** The project to set up, where it is the only one or the one of the filter. */
  project?: ProjectName
  /** Outcomes of the items of the last 24 hours. */
  arrivals: ArrivalLine[]
}
