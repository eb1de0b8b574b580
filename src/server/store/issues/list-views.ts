import type { SearchProblem } from '#search/search-term.ts'
import type { ArrivalLine } from '#server/store/outcomes/views.ts'
import type { ProjectName } from '#server/store/projects/list-views.ts'
import type { IssueSigns } from './signs.ts'
import type { BarSpan, IssueRange, IssueSort, IssueStatus, IssueSummary, Person } from './views.ts'

export interface IssueListRow extends IssueSummary, IssueSigns {
  /** Events in each step of `IssueListView.bars`, oldest first. */
  bars: number[]
  /** Events in all of these steps. */
  spanEventCount: number
}

/** How far the issues of a project have come; both numbers only grow. */
export interface IssueMark {
  /** Of the issue that appeared last. */
  lastNumber: number
  /** How often events or time have reopened an issue. */
  reopenedCount: number
}

/** A search as it was understood. */
export interface SearchQuery {
  /** What was not; the list is as if it were not there. */
  problems: SearchProblem[]
  /** Those that the text itself names, instead of the chosen one. */
  statuses?: IssueStatus[]
  /** The text without what names a status. */
  withoutStatuses: string
  /** The tags that were taken for tags because no part of the language has their name. */
  tagKeys: string[]
  /** Why the text leads to no issue, where it looks like a short id. */
  shortIdHint?: string
  /** Where else to look, where nothing was found: searches, and what they find (completes "issues …"). */
  hints?: { text: string; description: string }[]
}

/** How many issues there are, or how many at least. */
export interface StatusCount {
  count: number
  isMore: boolean
}

/** What of the stream's address a saved search keeps. */
export interface SavedSearchText {
  q?: string | undefined
  status?: IssueStatus | 'all' | undefined
  project?: string | undefined
  environment?: string | undefined
  sort?: IssueSort | undefined
  range?: IssueRange | undefined
  bars?: BarSpan | undefined
}

/** A search that somebody keeps. */
export interface SavedSearch {
  id: string
  name: string
  search: SavedSearchText
  /** The reader made it. */
  isOwn: boolean
  /** Everybody in an organization has it. */
  isShared: boolean
  organizationId?: number
  /** The reader's stream begins with it. */
  isDefault: boolean
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
  /** Whom issues can be assigned to, by name; nobody for who may assign none. */
  people: Person[]
  issues: IssueListRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** By project of the list: how far its issues had come when the list was read. */
  marks: Record<number, IssueMark>
  /** Present when not all issues have been looked through yet: which page goes on. */
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
  /** What the rows' bars span. */
  bars: BarSpan
  query: SearchQuery
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
  redirectSearch?: SavedSearchText
}

/** What an empty list knows about projects that wait for their first event. */
export interface WaitingView {
  /** The project to set up, where it is the only one or the one of the filter. */
  project?: ProjectName
  /** What became of the items of the last 24 hours. */
  arrivals: ArrivalLine[]
}

/** What the command palette finds. */
export interface PaletteView {
  projects: ProjectName[]
  issues: Pick<IssueSummary, 'id' | 'shortId' | 'title' | 'subtitle' | 'level'>[]
}
