import type { ArrivalLine } from '#server/console/outcomes/views.ts'
import type { ArtifactBundle, ArtifactUsage } from '#server/store/artifacts/records.ts'
import type { RejectedRequestCount } from '#server/store/outcomes/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { PerformanceIssueSettings } from '#server/store/projects/settings.ts'

/**
 * What the pages of one project show. Plain data, safe to send to the browser; times are Unix milliseconds.
 */

/** The common part of every page of a project's settings. */
export interface SharedProjectView {
  now: number
  project: ProjectHead
  /** The viewer can change what the page shows. */
  mayConfigure: boolean
  /** Versions of the shown settings, so that an outdated form overwrites nothing. */
  marks: Record<SettingsForm, string>
}

/** The data of every page of a project's settings. */
export interface ProjectPageView extends SharedProjectView {
  title: string
  /** The forms of the page are for users with more permissions: the viewer sees them disabled. */
  isReadOnly: boolean
  /** The pages of the project's settings that the viewer can open. */
  openPages: readonly { page: string; title: string }[]
}

/** The forms of a project's settings. */
export type SettingsForm =
  | 'naming'
  | 'filters'
  | 'allowedOrigins'
  | 'grouping'
  | 'scrubbing'
  | 'rateLimits'
  | 'spikeProtection'
  | 'retention'
  | 'traces'
  | 'performanceIssues'
  | 'sourceLinks'
  | 'ownership'
  | 'issueTracker'
  | 'forwarding'

/** A project as its settings name it. */
export interface ProjectHead extends ProjectName {
  createdAt: number
  /** Culvert's own project: it watches the application itself. */
  isBuiltIn: boolean
  /** False: all requests to it are rejected. */
  isAccepting: boolean
}

/** Requests that were rejected whole, for one reason in words. */
export interface RejectedRequestsView extends RejectedRequestCount {
  description: string
}

/** The page "General". */
export interface ProjectGeneralView extends ProjectPageView {
  page: 'general'
  /** Requests of the last 24 hours that were rejected whole. */
  rejected: RejectedRequestsView[]
}

/** The page "Source code". */
export interface ProjectSourceMapsView extends ProjectPageView {
  page: 'source-maps'
  /** The newest first. */
  bundles: ArtifactBundle[]
  /** Of the whole project. */
  usage: ArtifactUsage
  limitBytes: number
  unusedDays: number
  /** Where this installation is reached. */
  origin: string
  organizationSlug: string
  /** The one whose uploads are listed. */
  release?: string
  /** As the form has them; the host is empty without a repository. */
  sourceLinks: { repository: string; host: string; branch: string; roots: string[] }
  /** As the form has them. */
  issueTracker: {
    kind: string
    url: string
    jiraProject: string
    jiraType: string
    jiraEmail: string
    hasToken: boolean
    /** That Linear made. */
    hasWebhookSecret: boolean
    resolvesHere: boolean
    /** For the webhook of the tracker; only for viewers who may configure. */
    webhook?: { url: string; secret: string }
  }
}

/** The page "Keys". */
export interface ProjectKeysView extends ProjectPageView {
  page: 'keys'
  keys: ProjectKeyView[]
}

/** One key with the DSN made of it. */
export interface ProjectKeyView {
  publicKey: string
  label: string
  dsn: string
  isActive: boolean
  createdAt: number
  /** Its own limits; empty where the project's limits for each key apply. */
  limits: LimitRow[]
  /** The version of its name and limits. */
  mark: string
}

/** The page "Inbound". */
export interface ProjectInboundView extends ProjectPageView {
  page: 'inbound'
  /** In the order of evaluation. */
  filters: ProjectFilterView[]
  /** The project's own patterns, by the name of their field. */
  lists: Record<
    'ignoreErrors' | 'errorMessages' | 'releases' | 'clientAddresses' | 'transactions' | 'cspSources',
    string[]
  >
  allowedOrigins: string[]
  /** Requests of the last 7 days from pages that may not send. */
  foreignOriginCount: number
  /** Group hashes whose events are dropped, newest first. */
  discarded: DiscardedHash[]
}

/** A group hash whose issue was deleted with all future events. */
export interface DiscardedHash {
  /** 32 lower-case hex digits. */
  hash: string
  title: string
  subtitle: string
  discardedAt: number
  /** The source of the error. */
  userName: string
}

/** A filter, and its counts. */
export interface ProjectFilterView {
  /** Its name, and the reason under which it counts. */
  reason: string
  isOn: boolean
  isOnByDefault: boolean
  /** Items dropped in the last 7 days. */
  droppedCount: number
}

/** The page "Grouping". */
export interface ProjectGroupingView extends ProjectPageView {
  page: 'grouping'
  /** As they are kept. */
  rules: { fingerprintRules: string; stackTraceRules: string }
}

/** The page "Ownership". */
export interface ProjectOwnershipView extends ProjectPageView {
  page: 'ownership'
  ownership: { rules: string; codeOwners: string; isAutoAssigned: boolean }
  /** It has a repository or paths: CODEOWNERS needs the latter for absolute paths. */
  hasRoots: boolean
}

/** The page "Upstreams". */
export interface ProjectUpstreamsView extends ProjectPageView {
  page: 'upstreams'
  isStoredHere: boolean
  tunnelPath: string
  upstreams: ProjectUpstreamView[]
}

/** One upstream as the settings show it. */
export interface ProjectUpstreamView {
  upstreamId: string
  /** Empty with read-only access. */
  dsn: string
  host: string
  hostProjectId: string
  /** Query of the tunnel for SDKs that name it by `o`, `p` and `r`. */
  query?: string
  connect?: string
  kinds: 'all' | 'errors'
  /** The environment names it: it is changed there. */
  isFromEnvironment: boolean
  isPaused: boolean
  isRetired: boolean
  waitingCount: number
  /** Waits for a user to retry or discard it. */
  failedCount: number
  deliveredCount: number
}

/** The page "Scrubbing". */
export interface ProjectScrubbingView extends ProjectPageView {
  page: 'scrubbing'
  isOn: boolean
  rules: { name: string; mark: string; isOn: boolean; isOnByDefault: boolean }[]
  fields: string[]
  excludedFields: string[]
  ipAddresses: 'keep' | 'remove'
}

/** The page "Limits and retention". */
export interface ProjectLimitsView extends ProjectPageView {
  page: 'limits'
  rateLimits: {
    project: LimitRow[]
    key: LimitRow[]
    address: LimitRow[]
    /** Whether each address has the default limits, none, or those in `address`. */
    addressLimits: 'default' | 'none' | 'own'
  }
  defaultAddressLimits: LimitRow[]
  spikeProtection: SpikeProtectionFields
  defaultSpikeProtection: SpikeProtectionFields
  retention: { days: number; events: number }
  defaultRetention: { days: number; events: number }
  maxRetentionDays: number
  /** Whether traces are stored, and how many megabytes of them. */
  traces: { mode: 'off' | 'figures' | 'samples'; megabytes: number }
  defaultTraceMegabytes: number
  performanceIssues: PerformanceIssueSettings
  defaultPerformanceIssues: PerformanceIssueSettings
  /** The limit of the installation: `CULVERT_MAX_BYTES`. */
  maxBytes: number
}

/**
 * At most `quantity` of a category in a window. `all` is every category together; attachments count in bytes.
 */
export interface LimitRow {
  category: string
  quantity: number
  windowSeconds: number
}

/** From when on the events of an issue are only counted. */
export interface SpikeProtectionFields {
  isOn: boolean
  fullEvents: number
  windowSeconds: number
  sampleEvery: number
}

/** The page "Members". */
export interface ProjectMembersView extends ProjectPageView {
  page: 'members'
  members: ProjectMemberView[]
  /** Members of the organization without access to the project; only for viewers who can grant it. */
  others: { userId: string; name: string; email: string }[]
}

/** A user with access to the project. */
export interface ProjectMemberView {
  userId: string
  name: string
  /** Only for viewers who can configure the project. */
  email?: string
  role: string
  /** `all`: every project of the organization. */
  reach: 'all' | 'this'
}

/** The page "Set-up". */
export interface ProjectSetupView extends ProjectPageView {
  page: 'setup'
  /** Of the first active key; absent when there is none. */
  dsn?: string
  /** An issue of the project; absent before the first event. */
  issue?: { issueId: string; title: string; subtitle: string }
  /** Requests of the last 24 hours that were rejected whole. */
  rejected: RejectedRequestsView[]
  /** Outcomes of the items of the last 24 hours, while the project has no issue. */
  arrivals?: ArrivalLine[]
}

/** The screen `/projects/new`. */
export interface NewProjectView {
  /** Organizations in which the viewer may create projects, and members with access to only some projects. */
  organizations: { id: number; name: string; members: { userId: string; name: string }[] }[]
}

/** The `/tunnel` screen: queues and rejected envelopes. */
export interface TunnelView {
  now: number
  /** Path of the tunnel on this origin. */
  tunnelPath: string
  upstreams: UpstreamView[]
  /** Permanently rejected, latest first; of projects that the viewer configures. */
  undelivered: UndeliveredView[]
}

/** One upstream of a project, without the key that is sent with. */
export interface UpstreamView {
  /** As forms name it: `PROJECT:ID`. */
  reference: string
  project: ProjectName
  host: string
  /** The project there. */
  hostProjectId: string
  /** Query of the tunnel for SDKs that name it by `o`, `p` and `r`. */
  query?: string
  kinds: 'all' | 'errors'
  /** Received envelopes are also stored in Culvert. */
  isStoredHere: boolean
  isPaused: boolean
  isRetired: boolean
  mayConfigure: boolean
  deliveredCount: number
  waitingCount: number
  waitingBytes: number
  oldestWaitingAt?: number
  failedCount: number
  droppedCount: number
  deliveredAt?: number
  answer?: string
  answeredAt?: number
  failureCount: number
  /** When it is tried again after a failure. */
  retryAt?: number
  /** The categories that it currently rate-limits; `all` is everything. */
  held: { category: string; until: number }[]
}

/** An envelope that an upstream rejected. */
export interface UndeliveredView {
  /** As forms name it: `PROJECT:ID:NUMBER`. */
  reference: string
  projectName: string
  host: string
  category: string
  byteCount: number
  receivedAt: number
  problem: string
}
