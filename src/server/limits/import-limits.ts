import { minuteMs } from '#time/time-steps.ts'

/** Limits of imports from other trackers. Their answers and files are untrusted, like events. */
export const importLimits = {
  /** Bytes of a backup file. One of a large Sentry with 500 projects has 40 MB. */
  importFileBytes: 512_000_000,

  /** Bytes of one answer of another tracker: 100 events of a megabyte each. */
  importAnswerBytes: 128_000_000,

  /** Timeout of one answer of another tracker. */
  importAnswerMs: 60_000,

  /**
   * Consecutive empty pages. Sentry filters out rows that the token may not read; a tracker that always names
   * a next page must not keep the import busy.
   */
  importEmptyPages: 100,

  /** Maximum pause that another tracker's rate limit may demand. Sentry's windows are shorter. */
  importPauseMs: 10 * minuteMs,

  /** Attempts for one request that fails or is rate-limited. */
  importAttempts: 6,

  /** Projects, keys and members of one import. */
  importedProjects: 5_000,
  importedMembers: 20_000,

  /** Keys, and rules of alerts, of one project. */
  importedProjectParts: 1_000,

  /** Names of unread data in a report, and their length. */
  reportedNames: 100,
  reportedNameCharacters: 80,

  /** Newest events imported per issue, by default and at most. */
  importedEvents: 10,
  importedEventsMax: 100,

  /**
   * Missing originals of events, before the first one found, after which a Sentry counts as one that does not
   * return any. Single events may be deleted during the import.
   */
  importMissingOriginals: 3,

  /** Comments of one issue, and characters of each. */
  importedComments: 200,
  importedCommentCharacters: 10_000,

  /** Bytes of a backup file that is uploaded in the console. The command line reads larger ones. */
  importUploadBytes: 32_000_000,

  /** Time without progress after which an import of the console counts as interrupted. */
  importLateMs: minuteMs,

  /** Time for which a stopping server, or the form that discards an import, waits for it to stop. */
  importStopMs: 2_000,

  /** Interval at which the progress of an import is written. */
  importProgressMs: 1_000,

  /** Issues of one comparison of counts. */
  comparedIssues: 200,

  /** Projects that the checklist of a cut-over lists, unfinished ones first. */
  cutOverProjects: 100,

  /** Issues and releases of one project. */
  importedIssues: 100_000,
  importedReleases: 10_000,
} as const
