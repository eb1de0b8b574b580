/** Limits of alerts: what keeps them quiet, and what keeps them bounded. */
export const alertLimits = {
  /** Transitions of issues that the rules of alerts decide about per transaction. Ingest commits wait for it. */
  alertsDecidedAtOnce: 200,

  /** Interval of checks for transitions that another process queued, or a person. */
  alertTickMs: 1_000,

  /** Delay of the decisions after a commit, so that commits under load share them. */
  alertWakeMs: 50,

  /** Time between two messages about a project to a receiver. Alertmanager's `group_wait` is the same. */
  alertGroupMs: 30_000,

  /** Time in which a receiver gets at most `alertStormCount` messages. Then one summary, and a digest at its end. */
  alertStormMs: 600_000,

  /** Messages in `alertStormMs`. */
  alertStormCount: 10,

  /** Time that a digest by e-mail collects from its first transition on. */
  alertDigestMs: 3_600_000,

  /** Transitions listed in a message that waits; the rest is a count. */
  alertTransitionsPerDelivery: 100,

  /** Recent messages of a receiver that grouping looks at: those of the storm brake are fewer. */
  alertDeliveriesRead: 100,

  /** Time after which a message to a chat or a webhook is not sent any more. */
  alertExpiryMs: 3_600_000,

  /** The same for an e-mail. */
  alertMailExpiryMs: 86_400_000,

  /** Items of the inbox on its page, newest first. */
  inboxItemsShown: 100,

  /** Unread items that the bell counts; then `99+`. */
  inboxUnreadCounted: 100,

  /** Rules of an organization. */
  alertRules: 500,
} as const
