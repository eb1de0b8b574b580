/** Of what people do to issues: what brings an archived issue back. */
export const triageLimits = {
  /**
   * Kept events that one merge moves, at most. Whoever asked for it waits until all are moved: 50,000 events
   * of 8 issues took 1.3 s of CPU (measured), and on a machine with eight times more to do than it has cores,
   * 5 s.
   */
  mergedEvents: 50_000,

  /**
   * Events that one transaction of a merge moves: commits of ingest wait for it, so it may take as long as
   * one of retention.
   */
  eventsMovedAtOnce: 1_000,

  /** Entries of an issue's activity that its page shows, the newest. */
  activityShown: 100,

  /** People offered for assigning. */
  assigneesShown: 200,

  /** Parts of a merged issue that its page lists, the ones seen last. */
  partsShown: 100,

  /** Releases offered for "resolved in", the newest. */
  releasesOffered: 10,

  /** Milliseconds between two looks for archived issues whose time has come. */
  archiveTickMs: 30_000,

  /** Archived issues that one transaction brings back because their time has come. */
  archiveEndsAtOnce: 200,

  /** Days that an issue can be archived for, at most: ten years. More means for ever. */
  archiveDays: 3_650,

  /** Days of an issue whose busiest hour is its normal, when it is archived until it escalates. */
  escalationDays: 7,

  /** How many times its normal an hour has to bring. Twice is what a deploy or a busy Monday does. */
  escalationFactor: 3,

  /**
   * Events an hour below which nothing counts as an escalation: of rare issues three times next to nothing is
   * nothing.
   */
  escalationEvents: 10,
} as const
