import { minuteMs } from '#time/time-steps.ts'

/** Limits of imports from other trackers. Their answers and files are as hostile as events. */
export const importLimits = {
  /** Bytes of a backup file. One of a large Sentry with 500 projects has 40 MB. */
  importFileBytes: 512_000_000,

  /** Bytes of one answer of another tracker: 100 events of a megabyte each. */
  importAnswerBytes: 128_000_000,

  /** Time for one answer of another tracker. */
  importAnswerMs: 60_000,

  /** Longest pause that another tracker's rate limit may demand. Sentry's windows are shorter. */
  importPauseMs: 10 * minuteMs,

  /** Attempts for one request that fails or is rate-limited. */
  importAttempts: 6,

  /** Projects, keys and members of one import. */
  importedProjects: 5_000,
  importedMembers: 20_000,

  /** Newest events of each issue that are imported unless the command says otherwise, and at most. */
  importedEvents: 10,
  importedEventsMax: 100,

  /** Comments of one issue, and characters of each. */
  importedComments: 200,
  importedCommentCharacters: 10_000,

  /** Issues of one comparison of counts. */
  comparedIssues: 200,

  /** Issues and releases of one project. */
  importedIssues: 100_000,
  importedReleases: 10_000,
} as const
