/** The part of the event that determined its group, in order of precedence. */
export type GroupingSource =
  | 'fingerprint'
  | 'checksum'
  | 'exception'
  | 'threads'
  | 'template'
  | 'csp'
  | 'security'
  | 'feedback'
  | 'message'
  | 'fallback'

export interface Grouping {
  /** 32 lower-case hex digits; events of one project with equal hashes are one issue. */
  hash: string
  /** The mechanism that computed the hash, stored with it: hashes of different ones are not comparable. */
  mechanism: 'v1' | 'v2'
  /** The hash by the previous mechanism, if it differs: an issue of an earlier version may have it. */
  earlierHash?: string
  source: GroupingSource
}
