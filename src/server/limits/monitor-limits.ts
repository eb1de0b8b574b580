import { dayMs, hourMs } from '#time/time-steps.ts'

/** Limits of monitors. The limits of their settings are in `src/monitors/schedule.ts`. */
export const monitorLimits = {
  /** Interval of checks for due slots, and for check-ins that another process received. */
  monitorTickMs: 1_000,

  /** Delay after a commit, so that check-ins under load share a transaction. */
  monitorWakeMs: 50,

  /**
   * Time for which the end of a slot waits for check-ins that were received before it and are still being
   * committed.
   */
  monitorSettleMs: 3_000,

  /** Interval at which the clock of the monitors is written while nothing is due. */
  monitorHeartbeatMs: 5_000,

  /**
   * Time without a tick that counts as an outage of Culvert, or as a jump of the clock. Longer than a
   * restart, shorter than the smallest check-in margin.
   */
  monitorGapMs: 20_000,

  /** A clock that is set back by more than this makes the slots start again, because it was wrong before. */
  monitorSetBackMs: hourMs,

  /** Check-ins, or environments that are due, per transaction. Ingest commits wait for it. */
  monitorsAtOnce: 500,

  /** Monitors per project, so that an SDK in a loop cannot create any number. */
  monitorsPerProject: 1_000,

  /** Environments of a monitor. */
  monitorEnvironments: 20,

  /** Check-ins in an envelope. */
  checkInsPerEnvelope: 100,

  /** Characters kept of a job's output. healthchecks.io has the same default. */
  checkInOutputCharacters: 10_000,

  /** Cached parsed settings of monitors. */
  cachedMonitorSettings: 5_000,

  /** Interval of attempts to read a monitor that this version cannot read: a newer version may read it. */
  monitorUnreadableMs: hourMs,

  /** Failures and recoveries that become events per transaction. */
  monitorSignalsAtOnce: 100,

  /** Retention of check-ins and outages: the longest timeline. */
  checkInAgeMs: 90 * dayMs,

  /** Retention of individual uptime results: a check every 30 seconds makes 2,880 a day. */
  uptimeResultAgeMs: 7 * dayMs,

  /** Retention of counts per half hour: the timeline of 7 days. */
  monitorFineCountAgeMs: 8 * dayMs,

  /** Concurrent uptime checks, each with a socket. Further ones wait; then count as unknown. */
  uptimeChecksAtOnce: 250,

  /** Monitors on a status page. */
  statusPageMonitors: 50,

  /** Monitors of an organization offered for a status page. */
  statusPageChoices: 500,

  /** Incidents on a status page, and their maximum age. */
  statusPageIncidents: 50,
  statusPageIncidentsMs: 14 * dayMs,

  /** Cache lifetime of a status page, in memory and in HTTP caches. */
  statusPageCachedMs: 30_000,

  /** Bytes of an answer that are searched for a text. */
  uptimeBodyBytes: 1024 * 1024,

  /** Bytes of the headers of an answer. */
  uptimeHeaderBytes: 16 * 1024,

  /** Redirects that a check follows. */
  uptimeRedirects: 5,

  /** Timeout of the connection to a second target, which shows whether Culvert's own network works. */
  uptimeSecondTargetMs: 5_000,

  /** Second targets that are tried. */
  uptimeSecondTargets: 3,

  /** Time for which the result of a second target is reused: an outage makes many checks fail at once. */
  uptimeSecondTargetKeptMs: 5_000,
} as const
