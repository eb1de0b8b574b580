/** Of what people do to issues: how many at once, comments, what brings an archived issue back. */
export const triageLimits = {
  /** Issues that one action changes: four pages of the stream. Bounds how long the writer is held. */
  issuesPerAction: 200,

  /** Events or users that an issue can be archived for, at most. More means for ever. */
  archiveCount: 1_000_000,

  /** Days that an issue can be archived for, at most: ten years. More means for ever. */
  archiveDays: 3_650,

  /** Days of an issue whose busiest hour is its normal, when it is archived until it escalates. */
  escalationDays: 7,

  /** How many times its normal an hour has to bring. Twice is what a deploy or a busy Monday does. */
  escalationFactor: 3,

  /** Events an hour below which nothing counts as an escalation: of rare issues three times next to nothing is nothing. */
  escalationEvents: 10,
} as const
