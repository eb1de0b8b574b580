import { dayMs, hourMs } from '#time/time-steps.ts'

/** Limits of alerts: message rates, and the cost of rules and deliveries. */
export const alertLimits = {
  /** Transitions decided by the rules per transaction. Ingest commits wait for it. */
  alertsDecidedAtOnce: 200,

  /** Decisions per transaction. Rules that differ only in their filters count once. */
  alertDecisionsAtOnce: 2_000,

  /**
   * Transitions that wait in the queue of a project whose rules cannot be evaluated: 10 MB. The oldest ones
   * beyond it are dropped.
   */
  alertTransitionsKept: 10_000,

  /** Dropped transitions per transaction. */
  alertTransitionsDroppedAtOnce: 2_000,

  /** Kinds of issues (by level, release …) for which a process caches the matching rules of a project. */
  alertMatchesKept: 100,

  /** Projects whose rules a process caches in this way. With 500 rules that all match: 40 MB. */
  alertProjectsKept: 50,

  /** Interval of checks for transitions that another process or a user queued. */
  alertTickMs: 1_000,

  /** Delay of the decisions after a commit, so that commits under load share them. */
  alertWakeMs: 50,

  /** Time between two messages about a project to a receiver. Alertmanager's `group_wait` is the same. */
  alertGroupMs: 30_000,

  /**
   * A receiver gets at most `alertStormCount` messages in this time, then one summary, and a digest at its
   * end.
   */
  alertStormMs: 600_000,

  /** Messages in `alertStormMs`. */
  alertStormCount: 10,

  /** Time for which a digest by email collects transitions, from the first one on. */
  alertDigestMs: hourMs,

  /** Transitions listed in a queued message; further ones are only counted. */
  alertTransitionsPerDelivery: 100,

  /** Recent messages of a receiver that grouping reads: more than the rate limit counts. */
  alertDeliveriesRead: 100,

  /** Time after which a message to a chat or a webhook is no longer sent. */
  alertExpiryMs: hourMs,

  /** The same for an email. */
  alertMailExpiryMs: dayMs,

  /** Items of the inbox on its page, newest first. */
  inboxItemsShown: 100,

  /** Unread items counted on the bell icon; then `99+`. */
  inboxUnreadCounted: 100,

  /** Days of a rule's dry run. Sentry's preview covers the same time. */
  alertDryRunDays: 14,

  /** Newest transitions of a project that a dry run reads. */
  alertDryRunTransitions: 2_000,

  /** Issues of a dry run whose events are counted against a threshold: those with the most events. */
  alertDryRunIssues: 50,

  /** Their newest events, each. */
  alertDryRunEvents: 2_000,

  /** Interval at which ingest checks for rules with thresholds. */
  alertWatchMs: 1_000,

  /** Maximum interval of comparing counts with thresholds; shorter windows are compared more often. */
  alertCompareMs: 10_000,

  /** Issues of each twelfth of a window compared per statement: 1,200 rows, or a millisecond. */
  alertIssuesCompared: 100,

  /** The same for counts of users, whose hashes take up to 4 kB per row. */
  alertIssuesOfUsersCompared: 10,

  /** Thresholds that are exceeded, or back to normal, per transaction. */
  alertCrossingsAtOnce: 50,

  /** Old counts deleted per transaction. */
  alertWindowRowsDeleted: 500,

  /** Pause after a comparison, as a multiple of its duration: comparing takes at most a 20th of the time. */
  alertCompareRest: 20,

  /** Interval of checks for ingest problems. */
  alertTroubleMs: 10_000,

  /** Time without a rejected or only counted event after which the ingest problem is resolved. */
  alertTroubleQuietMs: 600_000,

  /** Consecutive failures of an upstream after which people are notified. */
  alertUpstreamFailures: 5,

  /** Interval at which sessions are compared with crash-free rates. */
  alertCrashFreeMs: 60_000,

  /** Issues of a project that are counted in each twelfth of a window; further ones are not watched in it. */
  alertWatchedIssues: 10_000,

  /** Issues that a process watches in all windows of all projects: some 10 MB. */
  alertWatchedIssuesInAll: 200_000,

  /** Users of an issue counted exactly in a window; beyond it the count is an estimate within about 5 %. */
  alertWindowUsers: 512,

  /**
   * Bytes of hashes of users, 8 per user and issue, counted by a process in each twelfth of a window of a
   * project; further ones are not counted in it. With the three windows that are kept: 18 MB.
   */
  alertWindowUserBytes: 500_000,

  /**
   * Age of counts after which no window includes them: two days, because anomalies compare a window of a day
   * with the day before.
   */
  alertWindowsMs: 2 * dayMs + hourMs,

  /** Users mentioned by a comment, and mentions parsed in it. */
  commentMentions: 50,

  /** Maximum hours of a mute: three months. For longer, disable the rule. */
  alertMuteHours: 2_160,

  /** Messages about an issue shown on its page; the others are on its page of alerts. */
  sentMessagesShown: 3,

  /** Decisions on the page of the ledger, newest first. */
  ledgerEntriesShown: 100,

  /** Attempts to send a message in the ledger, newest first. */
  ledgerAttemptsShown: 5,

  /** Attempts shown on the page of a message: more than a day of retries. */
  messageAttemptsShown: 200,

  /** Days of the ledger shown on its page; the page of an issue shows all that is kept. */
  ledgerDays: 7,

  /** Rules of an organization. */
  alertRules: 500,

  /** Destinations of an organization. */
  alertDestinations: 100,

  /** Characters of the name of a destination. */
  alertDestinationNameCharacters: 100,

  /** Interval of checks for messages that are due. */
  alertDeliveryTickMs: 500,

  /** Messages to chats and webhooks that a process sends concurrently, each to another receiver. */
  alertPostsAtOnce: 32,

  /** The same for email: connections to the mail server. Postfix allows 50 per client. */
  alertMailsAtOnce: 4,

  /** Time after an answer in which a serverless instance starts to send messages. */
  alertSliceMs: 10_000,

  /**
   * Lease of a message that a process sends. After a crash another process takes it over. Longer than
   * `mailTimeoutMs` and `channelTimeoutMs`.
   */
  alertLeaseMs: 60_000,

  /** Time in the future from which a message was written by a clock that was ahead. */
  alertClockSkewMs: 60_000,

  /** Delay after the first failed attempt; each further one doubles it. */
  alertRetryMs: 15_000,

  /** Longest delay between two attempts. */
  alertRetryMaxMs: 900_000,

  /** Age from which a message reports its delay. */
  alertLateMs: 300_000,

  /** Characters of a receiver's answer stored in the ledger of attempts. */
  alertAnswerCharacters: 500,

  /** Age up to which a message about an issue is edited instead of sending a new one. */
  alertThreadMs: dayMs,
} as const
