/**
 * The numbers and names that Culvert promises its users, as plain data.
 *
 * Imported by the router, the server, the build and the tests; it reaches the browser, so nothing secret may
 * stand here. TanStack Start itself does not read this file.
 */
export const appConfig = {
  name: 'Culvert',

  /** How long page data stays fresh, by the kind a route declares. Milliseconds. */
  pageKinds: {
    /** Streams, counts and lists: they change while you look. */
    live: { freshMs: 30_000 },
    /** An event, a release, a setting: they change when somebody changes them. */
    settled: { freshMs: 300_000 },
  },

  /** Loading pages ahead of the click. */
  prefetch: {
    /** Speculative loads in flight at once. */
    maxInFlight: 5,
    /** How long the pointer or focus rests on a link before it counts as intent. */
    intentDelayMs: 50,
    /** How far outside the viewport a link counts as in view. */
    viewportMarginPx: 200,
    /** While the server fails: after how many loads in a row, and for how long at first and at most. */
    pause: { failures: 3, minMs: 2_000, maxMs: 60_000 },
  },

  /** A route load (code and page data together) that takes longer is aborted and shows the failure page. */
  routeLoadTimeoutMs: 3800,

  /** A page whose counts are behind reads its data again after this time, until they are not. */
  lateCountsReloadMs: 5_000,

  /** How long a page loads before the progress line appears. */
  pendingMs: 200,

  /** Reads of page data that a person waits for are sent again after a 5xx answer; a change never is. */
  readRetry: { retries: 2, minDelayMs: 100, maxDelayMs: 300 },

  /** How long a change may take before it is given up; whether it was made is then not known. */
  changeTimeoutMs: 10_000,

  /** Bytes of a posted form or of a call of a server function. */
  formBytes: 262_144,

  /** Said of a form with more than `formBytes`. */
  formTooLarge: 'The form is larger than 256 KiB: shorten its longest text.',

  /** How long it is said that a change was made, and "Undo" offered. */
  noticeMs: 20_000,

  /** Issues that one action changes: four pages of the stream. Bounds how long the store is held. */
  issuesPerAction: 200,

  /** Characters of a comment: a stack trace with an explanation. */
  commentCharacters: 10_000,

  /** Events or users that an issue can be archived for, at most. More means for ever. */
  archiveCount: 1_000_000,

  /** Characters of a saved search's name. */
  savedSearchNameCharacters: 60,

  /** Issues on one page of the stream. */
  issuePageSize: 50,

  /** Where the browser sends Culvert's own events, on the application's own origin. */
  tunnelPath: '/monitoring',

  /** The environment of an event that names none. */
  defaultEnvironment: 'production',

  /** Hex digits of an event id that make the digest on a failure page. */
  digestLength: 12,

  /** `Retry-After` of pages and calls while the database is unavailable. */
  unavailableRetrySeconds: 10,

  failurePage: {
    heading: 'Application error',
    serverSentence: 'A server-side exception has occurred while loading this page.',
    clientSentence: 'A client-side exception has occurred while loading this page.',
    functionSentence: 'A server-side exception has occurred.',
    timeoutSentence: 'This page took too long to load.',
    unavailableSentence: 'The database is not available at the moment. Try again in a few seconds.',
    changeSentence:
      'A server-side exception has occurred while saving your change. Check whether it was saved before you try again.',
  },
} as const
