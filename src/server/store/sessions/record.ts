import type { SessionState } from '#protocol/session.ts'

/** The fields of all session data: project, release, environment and start. */
interface SessionBase {
  projectId: number
  release: string
  environment: string
  /** The start. Unix milliseconds. */
  startedAt: number
  /** The user, for counting distinct users. Only its hash is stored. */
  userKey?: string
}

/** One session update of an SDK. A session may be sent again, in the same state or in a later one. */
export interface SessionRecord extends SessionBase {
  kind: 'session'
  /** 32 lower-case hex digits. */
  sid: string
  /** Never decreases within a session. */
  seq: number
  /** True if the SDK declares this as the session's first update. */
  isFirst: boolean
  state: SessionState
}

/** Sessions that the SDK has aggregated. */
export interface SessionBucketRecord extends SessionBase {
  kind: 'bucket'
  counts: Readonly<Record<SessionState, number>>
}

/** An item with sessions, all of one release and one environment. */
export interface SessionItem {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  /** The quantity of its outcome. */
  quantity: number
  reports: SessionReport[]
}

/**
 * The outcome of such an item: `surplus` if the project already has sessions of too many releases and
 * environments.
 */
export type SessionCommit = 'counted' | 'surplus'

/** The reason of a surplus item, whose outcome is `abuse`. */
export const surplusSessionReason = 'too_many_releases'

/** The keys by which sessions are counted. */
export type SessionReport = SessionRecord | SessionBucketRecord
