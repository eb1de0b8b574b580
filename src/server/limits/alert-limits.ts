import { dayMs, hourMs } from '#time/time-steps.ts'

/** Limits of alerts: what keeps them quiet, and what keeps them bounded. */
export const alertLimits = {
  /** Transitions that the rules decide about per transaction. Ingest commits wait for it. */
  alertsDecidedAtOnce: 200,

  /** Decisions per transaction, those of rules that differ in their filters alone counted once. */
  alertDecisionsAtOnce: 2_000,

  /** Kinds of issues (by level, release …) for which a process keeps the matching rules of a project. */
  alertMatchesKept: 100,

  /** Projects whose rules a process keeps in this way. With 500 rules that all match: 40 MB. */
  alertProjectsKept: 50,

  /** Interval of checks for transitions that another process queued, or a person. */
  alertTickMs: 1_000,

  /** Delay of the decisions after a commit, so that commits under load share them. */
  alertWakeMs: 50,

  /** Time between two messages about a project to a receiver. Alertmanager's `group_wait` is the same. */
  alertGroupMs: 30_000,

  /** A receiver gets `alertStormCount` messages in it at most. Then one summary, and a digest at its end. */
  alertStormMs: 600_000,

  /** Messages in `alertStormMs`. */
  alertStormCount: 10,

  /** Time that a digest by e-mail collects from its first transition on. */
  alertDigestMs: hourMs,

  /** Transitions listed in a message that waits; the rest is a count. */
  alertTransitionsPerDelivery: 100,

  /** Recent messages of a receiver that grouping looks at: those of the storm brake are fewer. */
  alertDeliveriesRead: 100,

  /** Time after which a message to a chat or a webhook is not sent any more. */
  alertExpiryMs: hourMs,

  /** The same for an e-mail. */
  alertMailExpiryMs: dayMs,

  /** Items of the inbox on its page, newest first. */
  inboxItemsShown: 100,

  /** Unread items that the bell counts; then `99+`. */
  inboxUnreadCounted: 100,

  /** Days that the dry run of a rule looks back. Sentry's preview is as long. */
  alertDryRunDays: 14,

  /** Newest transitions of a project that a dry run looks at. */
  alertDryRunTransitions: 2_000,

  /** Issues of a dry run whose events are counted against a threshold: those with the most events. */
  alertDryRunIssues: 50,

  /** Their newest events, each. */
  alertDryRunEvents: 2_000,

  /** Interval at which ingest looks for rules with thresholds. */
  alertWatchMs: 1_000,

  /** Longest interval at which counts are compared with thresholds; short windows are compared more often. */
  alertCompareMs: 10_000,

  /** Issues of each twelfth of a window that are compared at once: 1,200 rows, or a millisecond. */
  alertIssuesCompared: 100,

  /** The same where users are counted, whose hashes are up to 4 kB in each row. */
  alertIssuesOfUsersCompared: 10,

  /** Thresholds that are crossed, or back to normal, per transaction. */
  alertCrossingsAtOnce: 50,

  /** Old counts deleted per transaction. */
  alertWindowRowsDeleted: 500,

  /** A comparison that took a while waits so many times as long for the next one: a twentieth of the time. */
  alertCompareRest: 20,

  /** Interval at which troubles of ingest are looked for. */
  alertTroubleMs: 10_000,

  /** Time without a rejected or only counted event after which the ingest problem is resolved. */
  alertTroubleQuietMs: 600_000,

  /** Consecutive failures of an upstream after which people are notified. */
  alertUpstreamFailures: 5,

  /** Interval at which sessions are compared with crash-free rates. */
  alertCrashFreeMs: 60_000,

  /** Issues of a project that are counted in each twelfth of a window; later ones are not watched in it. */
  alertWatchedIssues: 10_000,

  /** Issues that a process watches in all windows of all projects: some 10 MB. */
  alertWatchedIssuesInAll: 200_000,

  /** Users of an issue counted exactly in a window; beyond it the count is an estimate within about 5 %. */
  alertWindowUsers: 512,

  /**
   * Bytes of users, 8 for each of an issue, that a process counts in each twelfth of a window of a project;
   * further ones are not counted in it. With the three windows that are kept: 18 MB.
   */
  alertWindowUserBytes: 500_000,

  /** Age of counts after which no window needs them: the day before a window of a day. */
  alertWindowsMs: 2 * dayMs + hourMs,

  /** Users whom a comment mentions, and places in it that are looked at. */
  commentMentions: 50,

  /** Hours of a mute: three months. For longer, disable the rule. */
  alertMuteHours: 2_160,

  /** Messages about an issue on its page; the others are on its page of alerts. */
  sentMessagesShown: 3,

  /** Decisions on the page of the ledger, newest first. */
  ledgerEntriesShown: 100,

  /** Attempts to send a message in the ledger, newest first. */
  ledgerAttemptsShown: 5,

  /** The same on the page of a message: more than a day of attempts has. */
  messageAttemptsShown: 200,

  /** Days of the ledger on its page; on the page of an issue all that is kept. */
  ledgerDays: 7,

  /** Rules of an organization. */
  alertRules: 500,

  /** Destinations of an organization. */
  alertDestinations: 100,

  /** Characters of the name of a destination. */
  alertDestinationNameCharacters: 100,

  /** Interval of checks for messages that are due. */
  alertDeliveryTickMs: 500,

  /** Messages that a process sends at the same time to chats and webhooks, each to another one. */
  alertPostsAtOnce: 32,

  /** The same by mail: connections to the mail server. Postfix allows 50 of a client. */
  alertMailsAtOnce: 4,

  /** Time in which a serverless instance begins to send messages after an answer. */
  alertSliceMs: 10_000,

  /**
   * A process sends a message within it. After a crash another one takes the message. Longer than
   * `mailTimeoutMs` and `channelTimeoutMs`.
   */
  alertLeaseMs: 60_000,

  /** Delay after the first failed attempt; each further one doubles it. */
  alertRetryMs: 15_000,

  /** Longest delay between two attempts. */
  alertRetryMaxMs: 900_000,

  /** Age from which a message says how late it is. */
  alertLateMs: 300_000,

  /** Characters of an answer in the ledger of attempts. */
  alertAnswerCharacters: 500,

  /** Age of a message about an issue that is edited instead of sending a new one. */
  alertThreadMs: dayMs,
} as const
