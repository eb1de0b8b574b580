import type { IssueStatus } from '#server/store/issues/records.ts'

/** Data of an imported issue in addition to its events. Times are Unix milliseconds. */
export interface ImportedIssueRecord {
  projectId: number
  /** The issue's id in the other tracker. */
  sourceId: string
  /** Group hash of its events in Culvert: 32 lower-case hex digits. */
  hash: string
  shortId: string
  title: string
  url: string
  status: IssueStatus
  /** The number of events in the other tracker, and of those imported. */
  sourceCount: number
  importedCount: number
  firstSeenAt?: number
  lastSeenAt?: number
  assigneeId?: string
  comments: readonly { at: number; text: string; userId: string | null }[]
}

/** An issue with its counts in both trackers, at the time of the last comparison. */
export interface ComparedIssue {
  projectSlug: string
  issueId: string
  title: string
  shortId: string
  /** The short id in the other tracker; empty if there is none. */
  sourceShortId: string
  sourceUrl: string
  sourceCount: number
  ownCount: number
  comparedAt: number
}
