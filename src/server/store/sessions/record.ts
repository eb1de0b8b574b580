import type { SessionState } from '#protocol/session.ts'

/** The fields that all session data has: project, release, environment and start. */
interface SessionPlace {
  projectId: number
  release: string
  environment: string
  /** When they began. Unix milliseconds. */
  startedAt: number
  /** Who had them, for counting distinct users. Only its hash is kept. */
  userKey?: string
}

/** One session update of an SDK; the same session may be sent again, in the same state or in a later one. */
export interface SessionRecord extends SessionPlace {
  kind: 'session'
  /** 32 lower-case hex digits. */
  sid: string
  /** Never decreases within a session. */
  seq: number
  /** True if the SDK declares this as the session's first update. */
  isFirst: boolean
  state: SessionState
}

/** Sessions that were counted before they were sent. */
export interface SessionBucketRecord extends SessionPlace {
  kind: 'bucket'
  counts: Readonly<Record<SessionState, number>>
}

/** An item with sessions, all of one release in one environment. */
export interface SessionItem {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  /** How many items it is counted as. */
  quantity: number
  reports: SessionReport[]
}

/**
 * What became of such an item: `surplus` when the project has sessions of too many releases and environments
 * already.
 */
export type SessionCommit = 'counted' | 'surplus'

/** Why a surplus item was not counted: the reason of its outcome, which is `abuse`. */
export const surplusSessionReason = 'too_many_releases'

/** The keys that sessions are counted by. */
export type SessionReport = SessionRecord | SessionBucketRecord
