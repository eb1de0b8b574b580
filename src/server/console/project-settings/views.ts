import type { ArrivalLine } from '#server/console/outcomes/views.ts'
import type { ArtifactBundle, ArtifactUsage } from '#server/store/artifacts/records.ts'
import type { RejectedRequestCount } from '#server/store/outcomes/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { PerformanceIssueSettings } from '#server/store/projects/settings.ts'
import type { DiscardedHash } from '#server/store/triage/records.ts'

/** The data of a project's pages. Plain data, safe to send to the browser; times are Unix milliseconds. */

/** The common part of every page of a project's settings. */
export interface SharedProjectView {
  now: number
  project: ProjectHead
  /** True if the viewer may change the settings. */
  canConfigure: boolean
  /** Versions of the displayed settings, so that an outdated form overwrites nothing. */
  marks: Record<SettingsForm, string>
}

/** The data of every page of a project's settings. */
export interface ProjectPageView extends SharedProjectView {
  title: string
  /** True if the page's forms require more permissions: they are displayed as disabled. */
  isReadOnly: boolean
  /** The pages of the project's settings that the viewer has access to. */
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

/** A project with the general data of its settings. */
export interface ProjectHead extends ProjectName {
  createdAt: number
  /** True for Culvert's own project, to which it reports its own errors. */
  isBuiltIn: boolean
  /** False: all requests to it are rejected. */
  isAccepting: boolean
}

/** Requests that were rejected for one reason, as text. */
export interface RejectedRequestsView extends RejectedRequestCount {
  description: string
}

/** The page "General". */
export interface ProjectGeneralView extends ProjectPageView {
  page: 'general'
  /** Rejected requests of the last 24 hours. */
  rejected: RejectedRequestsView[]
}

/** The page "Source code". */
export interface ProjectSourceMapsView extends ProjectPageView {
  page: 'source-maps'
  /** Newest first. */
  bundles: ArtifactBundle[]
  /** The usage of the whole project. */
  usage: ArtifactUsage
  limitBytes: number
  unusedDays: number
  /** The public origin of this installation. */
  origin: string
  organizationSlug: string
  /** The release whose uploads are listed. */
  release?: string
  /** The form's fields; the host is empty without a repository. */
  sourceLinks: { repository: string; host: string; branch: string; roots: string[] }
  /** The form's fields. */
  issueTracker: {
    kind: string
    url: string
    jiraProject: string
    jiraType: string
    jiraEmail: string
    hasToken: boolean
    /** True if a secret of Linear's is stored. */
    hasWebhookSecret: boolean
    resolvesHere: boolean
    /** The tracker's webhook; only for viewers who may configure. */
    webhook?: { url: string; secret: string }
  }
}

/** The page "Keys". */
export interface ProjectKeysView extends ProjectPageView {
  page: 'keys'
  keys: ProjectKeyView[]
}

/** A key and its DSN. */
export interface ProjectKeyView {
  publicKey: string
  label: string
  dsn: string
  isActive: boolean
  createdAt: number
  /** The key's own limits; empty if the project's limits per key apply. */
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
  /** Requests of the last 7 days from pages whose origin is not allowed. */
  foreignOriginCount: number
  /** Group hashes whose events are dropped, newest first. */
  discarded: DiscardedHash[]
}

/** A filter, and its counts. */
export interface ProjectFilterView {
  /** Its name, which is the reason of its outcomes. */
  reason: string
  isOn: boolean
  isOnByDefault: boolean
  /** Items dropped in the last 7 days. */
  droppedCount: number
}

/** The page "Grouping". */
export interface ProjectGroupingView extends ProjectPageView {
  page: 'grouping'
  /** The stored rules. */
  rules: { fingerprintRules: string; stackTraceRules: string }
}

/** The page "Ownership". */
export interface ProjectOwnershipView extends ProjectPageView {
  page: 'ownership'
  ownership: { rules: string; codeOwners: string; isAutoAssigned: boolean }
  /** True if it has a repository or paths, which CODEOWNERS needs for absolute paths. */
  hasRoots: boolean
}

/** The page "Upstreams". */
export interface ProjectUpstreamsView extends ProjectPageView {
  page: 'upstreams'
  isStoredHere: boolean
  tunnelPath: string
  upstreams: ProjectUpstreamView[]
}

/** An upstream with the counts of its envelopes. */
interface UpstreamSummary {
  host: string
  /** The id of the project at the upstream. */
  hostProjectId: string
  /** Query of the tunnel for SDKs that address it by `o`, `p` and `r`. */
  query?: string
  kinds: 'all' | 'errors'
  isPaused: boolean
  isRetired: boolean
  waitingCount: number
  /** Number of envelopes that wait for a user to retry or discard them. */
  failedCount: number
  deliveredCount: number
}

/** An upstream on the settings page. */
export interface ProjectUpstreamView extends UpstreamSummary {
  upstreamId: string
  /** Empty with read-only access. */
  dsn: string
  connect?: string
  /** True if it is configured in the environment, and can only be changed there. */
  isFromEnvironment: boolean
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
  /** Whether traces are stored, their maximum megabytes, and the threshold of Apdex in milliseconds. */
  traces: { mode: 'off' | 'figures' | 'samples'; megabytes: number; apdexMs: number }
  defaultApdexMs: number
  defaultTraceMegabytes: number
  performanceIssues: PerformanceIssueSettings
  defaultPerformanceIssues: PerformanceIssueSettings
  /** The limit of the installation: `CULVERT_MAX_BYTES`. */
  maxBytes: number
}

/**
 * At most `quantity` of a category per window. `all` applies to all categories together; attachments are
 * counted in bytes.
 */
export interface LimitRow {
  category: string
  quantity: number
  windowSeconds: number
}

/** The event counts above which events of an issue are only counted. */
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
  /** `all`: the member has access to every project of the organization. */
  reach: 'all' | 'this'
}

/** The page "Setup". */
export interface ProjectSetupView extends ProjectPageView {
  page: 'setup'
  /** The DSN of the first active key; absent if there is none. */
  dsn?: string
  /** An issue of the project; absent before the first event. */
  issue?: { issueId: string; title: string; subtitle: string }
  /** Rejected requests of the last 24 hours. */
  rejected: RejectedRequestsView[]
  /** Outcomes of the items of the last 24 hours, while the project has no issue. */
  arrivals?: ArrivalLine[]
}

/** The data of `/projects/new`. */
export interface NewProjectView {
  /** Organizations in which the viewer may create projects, and members with access to only some projects. */
  organizations: { id: number; name: string; members: { userId: string; name: string }[] }[]
}

/** The data of `/tunnel`: queues and rejected envelopes. */
export interface TunnelView {
  now: number
  /** Path of the tunnel on this origin. */
  tunnelPath: string
  /** Whether the viewer can add an upstream to a project. */
  canConfigure: boolean
  upstreams: UpstreamView[]
  /** Permanently rejected envelopes of projects that the viewer configures, latest first. */
  undelivered: UndeliveredView[]
}

/** An upstream of a project, without its key. */
export interface UpstreamView extends UpstreamSummary {
  /** Its name in forms: `PROJECT:ID`. */
  reference: string
  project: ProjectName
  /** True if received envelopes are also stored in Culvert. */
  isStoredHere: boolean
  canConfigure: boolean
  waitingBytes: number
  oldestWaitingAt?: number
  droppedCount: number
  deliveredAt?: number
  answer?: string
  answeredAt?: number
  failureCount: number
  /** When the next attempt follows after a failure. */
  retryAt?: number
  /** The currently rate-limited categories; `all` stands for all categories. */
  held: { category: string; until: number }[]
}

/** An envelope that an upstream rejected. */
export interface UndeliveredView {
  /** Its name in forms: `PROJECT:ID:NUMBER`. */
  reference: string
  projectName: string
  host: string
  category: string
  byteCount: number
  receivedAt: number
  problem: string
}
