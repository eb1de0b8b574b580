import type { Event, EventType, Level } from '#protocol/event.ts'
import type { OutcomeKind } from '#protocol/outcome.ts'
import type { SearchProblem } from '#search/search-term.ts'
import type { SourceMapProblem } from './artifact-views.ts'
import type { IssueTerms } from './issue-terms.ts'

/** What the screens show. Plain data, safe to send to the browser; times are Unix milliseconds. */

export const issueStatuses = ['unresolved', 'resolved', 'archived'] as const
export type IssueStatus = (typeof issueStatuses)[number]

export const issueSorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const
export type IssueSort = (typeof issueSorts)[number]

/** Why an archived issue came back. */
export type ReturnReason = 'time' | 'events' | 'users' | 'escalation'

/** How long ago an issue must have happened last. */
export const issueRanges = ['24h', '7d', '14d', '30d', '90d'] as const
export type IssueRange = (typeof issueRanges)[number]

/** What the bars of a row span: 24 hours, or 14 days. */
export const barSpans = ['24h', '14d'] as const
export type BarSpan = (typeof barSpans)[number]

/** Somebody with an account. */
export interface Person {
  userId: string
  name: string
}

export interface ProjectName {
  id: number
  slug: string
  name: string
  platform?: string
}

export interface IssueSummary {
  id: string
  /** `CHECKOUT-1A`: the project's slug and the issue's number in base 36. */
  shortId: string
  project: ProjectName
  type: EventType
  /** What went wrong, first line only: the exception's type, or the message. */
  title: string
  /** The exception's value, first line only; empty for a message. */
  subtitle: string
  culprit: string
  level: Level
  platform: string
  status: IssueStatus
  /** When a person, or an event, changed the status last; absent while nobody has. */
  statusChangedAt?: number
  /** It was resolved and has happened again since; until somebody sets its status. */
  isRegressed?: true
  /** What brings it back; absent where nothing special was said. */
  terms?: IssueTerms
  /** Who looks after it. */
  assignee?: Person
  firstSeenAt: number
  lastSeenAt: number
  eventCount: number
  /** Those of them that can be looked at; retention deletes old ones, and of a flood most are only counted. */
  keptEventCount: number
  /** Distinct users; exact up to `limits.usersPerIssueExact`, then an estimate. */
  userCount: number
  firstRelease?: string
  lastRelease?: string
}

/** Events per hour, oldest first; the last one is the running hour. Always `hours` long. */
export type HourCounts = number[]

export const trendPeriods = ['24h', '14d', '90d'] as const
/** How far back the trend of an issue shows. */
export type TrendPeriod = (typeof trendPeriods)[number]

/** Events in steps of equal length, oldest first; the last one is the running one. */
export interface TrendSeries {
  /** When the first step began. Six-hour steps and days are UTC's. */
  since: number
  stepMs: number
  counts: number[]
}

/** Events over each period. */
export type IssueTrend = Record<TrendPeriod, TrendSeries>

/** A release of the issue's project, and since when there is it. */
export interface ReleaseMark {
  version: string
  at: number
}

/** An issue of the same project that is called the same and happens in the same place, or says the same elsewhere. */
export type SimilarIssue = Pick<
  IssueSummary,
  'id' | 'shortId' | 'title' | 'subtitle' | 'culprit' | 'status' | 'eventCount' | 'lastSeenAt'
>

export interface IssueListRow extends IssueSummary {
  /** Events in each step of `IssueListView.bars`, oldest first. */
  bars: number[]
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

export interface IssueListView {
  /** Server time the counts were read at. */
  now: number
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
  projects: ProjectName[]
  environments: string[]
  /** True when the installation holds no event at all: the empty state explains set-up instead of filters. */
  isEmptyInstallation: boolean
  /** What the rows' bars span. */
  bars: BarSpan
  query: SearchQuery
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

export interface TagValue {
  value: string
  eventCount: number
  lastSeenAt: number
}

export interface TagDistribution {
  key: string
  eventCount: number
  /** Distinct values kept. */
  valueCount: number
  /** The most frequent ones, most frequent first. */
  values: TagValue[]
}

/** Where an event stands among the kept events of its issue, oldest first. */
export interface EventPosition {
  previousEventId?: string
  nextEventId?: string
  firstEventId: string
  latestEventId: string
  /** Kept events before it; absent when there are more than `limits.countedPosition`. */
  earlierCount?: number
  /** Kept events behind it; absent when there are more than `limits.countedPosition`. */
  laterCount?: number
}

/** A file that came with an event. */
export interface AttachmentView {
  /** Its place among the event's files, from 1; it stands in the address of the download. */
  number: number
  name: string
  /** As the sender says; it may be anything. */
  contentType: string
  byteCount: number
}

/** What somebody wrote about an event. The texts may be empty. */
export interface FeedbackView {
  /** The feedback is an event too. */
  eventId: string
  receivedAt: number
  name: string
  email: string
  message: string
}

export interface EventView {
  now: number
  event: Event
  issue: IssueSummary
  position: EventPosition
  attachments: AttachmentView[]
  /** Newest first. */
  feedback: FeedbackView[]
  /** The event that this one is feedback about, once that is here. */
  aboutEventId?: string
  /** Other events of the same trace, in every project that the viewer reaches, earliest first. */
  traceEvents: EventReference[]
  /** Why code that it tells of has no source; empty where there is nothing to tell. */
  sourceMapProblems: SourceMapProblem[]
}

export interface IssueView extends EventView {
  /** The viewer may resolve, archive and reopen it. */
  mayTriage: boolean
  trend: IssueTrend
  /** Of the project, in the time that the trend shows; oldest first. */
  releases: ReleaseMark[]
  similar: SimilarIssue[]
  tags: TagDistribution[]
  triage: IssueTriageView
}

/** What people do with an issue. */
export interface IssueTriage {
  /** The newest `limits.activityShown`, oldest first; of what was merged into the issue too. */
  activity: ActivityEntry[]
  /** Who can be assigned. */
  people: Person[]
  /** What the issue is the sum of; empty unless something was merged into it. */
  parts: IssuePart[]
  /** Names of the project's newest releases, newest first. */
  releases: string[]
}

/** The same for somebody who looks at it. */
export interface IssueTriageView extends Omit<IssueTriage, 'activity'> {
  activity: (ActivityEntry & { comment?: CommentView })[]
  /** The viewer's own user id. */
  viewerId: string
  /** The viewer may delete issues. */
  mayDelete: boolean
}

/** A comment, ready to be shown. */
export interface CommentView {
  nodes: CommentNode[]
  /** The viewer wrote it. */
  isOwn: boolean
}

export type CommentTag =
  | 'p'
  | 'strong'
  | 'em'
  | 's'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'hr'
  | 'br'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'code'
  | 'pre'
  | 'span'

/** A piece of a comment. */
export type CommentNode =
  | { kind: 'text'; text: string }
  | { kind: 'element'; tag: CommentTag; children: CommentNode[] }
  /** To a web page or a mail address, and nowhere else. */
  | { kind: 'link'; href: string; children: CommentNode[] }

/** An issue as others are told of it. */
export interface IssueName {
  issueId: string
  title: string
  shortId: string
}

/** Something that was done to an issue, by somebody or by itself. */
export type ActivityEntry = { id: string; at: number; by?: Person } & ActivityChange

export type ActivityChange =
  | { kind: 'status'; status: IssueStatus; terms?: IssueTerms }
  | { kind: 'assigned'; assignee?: Person }
  /** Markdown. */
  | { kind: 'comment'; text: string; editedAt?: number }
  | { kind: 'merged' | 'unmerged'; issues: IssueName[] }
  | { kind: 'merged_into' | 'unmerged_from'; issue: IssueName }
  | { kind: 'regressed'; release?: string }
  | { kind: 'returned'; reason: ReturnReason }
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

export interface EventReference {
  eventId: string
  issueId: string
  project: ProjectName
  title: string
  level: Level
  occurredAt: number
}

/** One event in the list of its issue's. */
export interface IssueEventRow {
  eventId: string
  occurredAt: number
  level: Level
  /** What it is called, where the issue is called something else by now. */
  title?: string
  /** Who it happened to, as people would say it. */
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

export const expiryReasons = ['age', 'count', 'bytes', 'deleted'] as const

/** Which limit an event was deleted for; or somebody deleted its issue. */
export type ExpiryReason = (typeof expiryReasons)[number]

/** An event that was kept and has been deleted by retention. */
export interface ExpiredEvent {
  projectName: string
  expiredAt: number
  reason: ExpiryReason
}

export interface DigestView {
  now: number
  digest: string
  /** Newest first. */
  matches: EventReference[]
  /** Without a match: the event that would have been one. */
  expired?: ExpiredEvent
}

export interface ProjectListRow extends ProjectName {
  /** The DSN of the project's first active key; absent when it has none. */
  dsn?: string
  createdAt: number
  eventCount24h: number
  /** Accepted events in each step of the period, oldest first; the last one is the running hour or day. */
  counts: number[]
  unresolvedIssueCount: number
  lastEventAt?: number
  /** Culvert's own project: it watches the application itself. */
  isBuiltIn: boolean
}

export const projectPeriods = ['24h', '14d'] as const
export type ProjectPeriod = (typeof projectPeriods)[number]

export interface ProjectListView {
  now: number
  period: ProjectPeriod
  /** The viewer may make another one. */
  mayCreate: boolean
  projects: ProjectListRow[]
}

export const outcomePeriods = ['24h', '7d', '30d'] as const
export type OutcomePeriod = (typeof outcomePeriods)[number]

/** So many items of one category that came to the same end for the same reason. */
export interface OutcomeTotal {
  outcome: OutcomeKind
  /** Empty for `accepted`. */
  reason: string
  /** Relay's data category. */
  category: string
  quantity: number
}

/** What one outcome counted in each step of the period, oldest first; the last step is the running one. */
export interface OutcomeSeries {
  outcome: OutcomeKind
  counts: number[]
}

/** Something that a filter dropped, as the screen shows it. */
export interface FilterSampleView {
  /** Unique among all samples. */
  id: string
  reason: string
  category: string
  project: ProjectName
  receivedAt: number
  title: string
  environment?: string
  release?: string
  payloadBytes: number
  /** The payload as indented JSON, cut; absent when it was too large to be kept. */
  payloadText?: string
  /** `payloadText` is not all of it. */
  isPayloadCut: boolean
}

export interface OutcomeView {
  /** Server time the counts were read at. */
  now: number
  projects: ProjectName[]
  period: OutcomePeriod
  /** When the oldest step began. */
  since: number
  stepMs: number
  /** Those that counted anything, in the order of `outcomeKinds`; all of the same length. */
  series: OutcomeSeries[]
  /** In the order of `outcomeKinds`, largest first. */
  totals: OutcomeTotal[]
  /** The newest of each reason. */
  samples: FilterSampleView[]
  /** Of the chosen projects, whenever they came. */
  deadLetterCount: number
}

/** An item on which our own code failed, without its bytes. */
export interface DeadLetterSummary {
  /** Unique within its project. */
  id: string
  project: ProjectName
  /** The item's type as its header said. */
  itemType: string
  /** The message of the error. */
  reason: string
  receivedAt: number
  payloadBytes: number
}

/** The screen of dead letters. */
export interface DeadLetterListView {
  now: number
  /** How many there are. */
  count: number
  /** The newest of them. */
  letters: DeadLetterSummary[]
}

/** What the command palette finds. */
export interface PaletteView {
  projects: ProjectName[]
  issues: Pick<IssueSummary, 'id' | 'shortId' | 'title' | 'subtitle' | 'level'>[]
}

/** How the installation is. `system` is absent for who may not know. */
export interface SystemView {
  now: number
  system?: SystemFigures
}

export interface SystemFigures {
  /** Why a load balancer should send nothing here; none when all is well. */
  problems: string[]
  startedAt: number
  versions: { name: string; version: string }[]
  memory: { residentBytes: number; heapBytes: number; externalBytes: number }
  /** Milliseconds, of the last minute. */
  loopDelay: { p50: number; p99: number; max: number }
  disk: DiskFigures
  /** Absent while they are being measured. */
  sizes?: SizeFigures
  /** Items accepted in each hour, oldest first; the last one is the running one. */
  hours24: HourCounts
  deadLetterCount: number
  /** Absent before the first one. */
  lastBackup?: { at: number; bytes: number }
}

/** The database's file and the disk under it, in bytes. */
export interface DiskFigures {
  fileBytes: number
  /** Without pages that are free. */
  usedBytes: number
  /** The write-ahead log beside it. */
  logBytes: number
  /** What retention keeps it below. */
  limitBytes: number
  /** Absent where the system does not tell. */
  freeBytes?: number
}

/** What takes how much of the database. */
export interface SizeFigures {
  measuredAt: number
  /** Largest first. */
  groups: { name: string; bytes: number }[]
  /** What the payloads of each project's kept events take. */
  projects: { project: ProjectName; eventCount: number; bytes: number }[]
}

/** What every page needs besides its own data. */
export interface ShellView {
  monitoring: {
    dsn: string
    /** Path and query of the tunnel on this origin. */
    tunnel: string
    environment: string
  }
  /** Absent when nobody is signed in. */
  viewer?: ShellViewer
  /** What the form that led here is to say, where no script could. */
  notice?: string
}

/** Who is signed in, as every page shows it. */
export interface ShellViewer {
  userId: string
  name: string
  email: string
  /** Single keys do something: unless switched off in the settings. */
  hasShortcuts: boolean
}
