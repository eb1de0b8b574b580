import { dayMs } from '#time/time-steps.ts'

/** Limits of triage: merging, assigning, archiving. */
export const triageLimits = {
  /**
   * Maximum stored events that one merge moves while the request waits: 50,000 events of 8 issues took 1.3 s
   * of CPU (measured), and 5 s on a machine with eight times more work than cores.
   */
  mergedEvents: 50_000,

  /** Events that one transaction of a merge moves. Ingest commits wait for it, as for one of retention. */
  eventsMovedAtOnce: 1_000,

  /** Age up to which the API reports an issue as new, as in Sentry. */
  newIssueMs: 7 * dayMs,

  /** Newest entries of activity on the page of an issue. */
  activityShown: 100,

  /** Issues of trackers linked to one issue. */
  issueLinks: 20,

  /** Characters of the address of an issue in a tracker. */
  issueLinkCharacters: 500,

  /** Milliseconds after creating an issue in a tracker in which a second one is a duplicate. */
  trackerRepeatMs: 10_000,

  /** Frames of the stack trace in a new issue of a tracker. */
  trackerFrames: 8,

  /** Characters of the event's text in a new issue of a tracker. */
  trackerTextCharacters: 3_000,

  /** Bytes of a tracker's webhook request. GitHub sends up to 25 MB, but an issue has 65,536 characters. */
  trackerReportBytes: 1_048_576,

  /** Maximum age of Linear's webhook requests, which contain their time: it recommends a minute. */
  linearReportAgeMs: 60_000,

  /**
   * Maximum age of Jira's webhook requests, which contain the time of the change: five attempts, at most 15
   * minutes apart.
   */
  jiraReportAgeMs: 7_200_000,

  /** Users offered as assignees. */
  assigneesShown: 200,

  /** Merged issues listed on the page of an issue, last seen first. */
  partsShown: 100,

  /** Newest releases offered for "resolved in". */
  releasesOffered: 10,

  /** Interval of checks for archives that end, and for assignees without access. */
  issueTickMs: 30_000,

  /** Expired archived issues reopened per transaction. */
  archiveEndsAtOnce: 200,

  /** Issues unassigned per transaction. */
  unassignedAtOnce: 100,

  /** Issues unassigned per check. */
  unassignedPerCheck: 2_000,

  /** Maximum days of archiving: ten years. More means forever. */
  archiveDays: 3_650,

  /** Days whose busiest hour is the baseline of an issue archived until it escalates. */
  escalationDays: 7,

  /** Multiple of the baseline that counts as an escalation. A deploy or a busy Monday doubles it. */
  escalationFactor: 3,

  /** Minimum events an hour of an escalation, so that three times a tiny baseline is none. */
  escalationEvents: 10,
} as const
