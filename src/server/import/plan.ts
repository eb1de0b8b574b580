import type { JsonObject } from '#protocol/json.ts'
import type { ProjectSettings } from '#server/store/projects/settings.ts'

/** A key to import. */
export interface PlannedKey {
  /** 32 lower-case hex digits. */
  publicKey: string
  label: string
  isActive: boolean
  rateLimit?: { quantity: number; windowSeconds: number }
}

/** A rule in the format of Sentry's API, not validated yet. */
export interface PlannedRule {
  name: string
  sent: object
}

/** A project to import. */
export interface PlannedProject {
  /** Its id in the other tracker, and in its DSNs. */
  id: number
  /** Its slug in the other tracker, for its API. */
  sourceSlug: string
  /** Its organization there; absent if there are none. */
  organizationSlug?: string
  name: string
  platform?: string
  keys: PlannedKey[]
  settings: Partial<ProjectSettings>
  rules: PlannedRule[]
}

/** A user to import. */
export interface PlannedMember {
  /** The user's id in the other tracker, to which rules refer. */
  sourceUserId?: string
  /** Lower case. */
  email: string
  name: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
}

/** Something in the other tracker that is not imported. */
export interface LeftOut {
  /** A project's slug, or empty. */
  project: string
  text: string
}

/** The configuration of the other tracker: projects, keys, settings, rules and members. */
export interface ImportPlan {
  projects: PlannedProject[]
  members: PlannedMember[]
  leftOut: LeftOut[]
}

/** An issue of the other tracker. Times are Unix milliseconds. */
export interface SourceIssue {
  id: string
  title: string
  /** `SHOP-1A`; empty if there is none. */
  shortId: string
  url: string
  status: 'unresolved' | 'resolved' | 'archived'
  eventCount: number
  firstSeenAt?: number
  lastSeenAt?: number
  /** Lower case. */
  assigneeEmail?: string
  commentCount: number
}

/** An event of the other tracker, in the format of SDKs. */
export interface SourceEvent {
  /** 32 lower-case hex digits. */
  eventId: string
  receivedAt: number
  value: JsonObject
}

/** A comment on an issue. */
export interface SourceComment {
  at: number
  author: string
  /** Lower case; empty if unknown. */
  email: string
  text: string
}

/** A release of a project. */
export interface SourceRelease {
  version: string
  createdAt?: number
  releasedAt?: number
  url?: string
  ref?: string
}

/** A tracker that is read through its web API. */
export interface ImportSource {
  readPlan(): Promise<ImportPlan>
  /** This list and the next one contain one entry more than the limit if there are more. */
  listReleases(project: PlannedProject): AsyncIterable<SourceRelease>
  listIssues(project: PlannedProject): AsyncIterable<SourceIssue>
  /** The newest events of an issue, at most `count`. */
  readEvents(project: PlannedProject, issue: SourceIssue, count: number): Promise<SourceEvent[]>
  readComments(project: PlannedProject, issue: SourceIssue): Promise<SourceComment[]>
}
