import { dayMs, hourMs } from '#time/time-steps.ts'

/** Limits of monitors. Those of their settings are in `src/monitors/schedule.ts`. */
export const monitorLimits = {
  /** Interval of checks for what is due, and for check-ins that another process received. */
  monitorTickMs: 1_000,

  /** Delay after a commit, so that check-ins under load share a transaction. */
  monitorWakeMs: 50,

  /**
   * Time that the end of a slot waits for check-ins that were received before it and are still being
   * committed.
   */
  monitorSettleMs: 3_000,

  /** How often the clock of the monitors is written while nothing is due. */
  monitorHeartbeatMs: 5_000,

  /**
   * Time without a tick that counts as an outage of Culvert, or as a jump of the clock. Longer than a restart
   * takes, shorter than the smallest margin of a check-in.
   */
  monitorGapMs: 20_000,

  /** A clock that is set back by more makes the slots begin again: it was wrong before. */
  monitorSetBackMs: hourMs,

  /** Check-ins, or environments that are due, per transaction. Ingest commits wait for it. */
  monitorsAtOnce: 500,

  /** An SDK in a loop must not create monitors without end. */
  monitorsPerProject: 1_000,

  /** Environments of a monitor. */
  monitorEnvironments: 20,

  /** Check-ins in an envelope. */
  checkInsPerEnvelope: 100,

  /** Characters of the output of a job that are kept. The same as healthchecks.io by default. */
  checkInOutputCharacters: 10_000,

  /** Different settings of monitors that are kept parsed. */
  rememberedMonitorSettings: 5_000,

  /** Failures and recoveries that become events at a time. */
  monitorSignalsAtOnce: 100,

  /** How long check-ins and outages are kept: the longest timeline. */
  checkInAgeMs: 90 * dayMs,

  /** How long single results of uptime checks are kept: a check each 30 seconds is 2,880 a day. */
  uptimeResultAgeMs: 7 * dayMs,

  /** How long counts per half hour are kept: the timeline of 7 days. */
  monitorFineCountAgeMs: 8 * dayMs,

  /** Checks of uptime at the same time, each with a socket. Others wait; after too long they are unknown. */
  uptimeChecksAtOnce: 250,

  /** Monitors on a status page. */
  statusPageMonitors: 50,

  /** Monitors that an organization chooses those from. */
  statusPageChoices: 500,

  /** Incidents on a status page, and from how long ago. */
  statusPageIncidents: 50,
  statusPageIncidentsMs: 14 * dayMs,

  /** How long a status page is answered from memory, and by caches. */
  statusPageCachedMs: 30_000,

  /** Bytes of an answer that are searched for a text. */
  uptimeBodyBytes: 1024 * 1024,

  /** Bytes of the headers of an answer. */
  uptimeHeaderBytes: 16 * 1024,

  /** Redirects that a check follows. */
  uptimeRedirects: 5,

  /** Time for the connection to a second target, which shows whether Culvert's own network works. */
  uptimeSecondTargetMs: 5_000,

  /** Second targets that are tried. */
  uptimeSecondTargets: 3,

  /** How long the result of a second target is used again: an outage makes many checks fail at once. */
  uptimeSecondTargetKeptMs: 5_000,
} as const
