/**
 * Public constants as plain data.
 *
 * Imported by the router, the server, the build and the tests, and part of the browser bundle: it must not
 * contain secrets. TanStack Start itself does not read this file.
 */
export const appConfig = {
  name: 'Culvert',

  /** How long page data stays fresh, by the kind a route declares. Milliseconds. */
  pageKinds: {
    /** Streams, counts and lists, which change while a page is open. */
    live: { freshMs: 30_000 },
    /** Events, releases and settings, which change only by a user's action. */
    settled: { freshMs: 300_000 },
  },

  /** Prefetching. */
  prefetch: {
    /** Speculative loads in flight at once. */
    maxInFlight: 5,
    /** Time that the pointer or focus rests on a link before it counts as intent. */
    intentDelayMs: 50,
    /** Distance from the viewport within which a link counts as visible. */
    viewportMarginPx: 200,
    /** The pause while the server fails: consecutive failures before it, its first and its maximum length. */
    pause: { failures: 3, minMs: 2_000, maxMs: 60_000 },
  },

  /** A route load (code and page data together) that takes longer is aborted and shows the failure page. */
  routeLoadTimeoutMs: 3800,

  /** A page whose counts are behind reads its data again after this time, until they are not. */
  lateCountsReloadMs: 5_000,

  /** A visible page about one issue reads what has changed after this time. */
  liveIssueMs: 10_000,

  /** A visible list of issues is reloaded when it is this old. */
  liveListMs: 30_000,

  /** How long a page loads before the progress line appears. */
  pendingMs: 200,

  /** Retries of reads for which a user waits, after a 5xx response. Changes are never retried. */
  readRetry: { retries: 2, minDelayMs: 100, maxDelayMs: 300 },

  /** Timeout of a change. After it, the client does not know whether the change was saved. */
  changeTimeoutMs: 10_000,

  /** Maximum size of a posted form and of a server function call, in bytes. */
  formBytes: 262_144,

  /** The error for a form with more than `formBytes`. */
  formTooLarge: 'The form is larger than 256 KiB: shorten its longest text.',

  /** Time that the notice about a change, with "Undo", is shown. */
  noticeMs: 20_000,

  /** Issues that one action may change: four pages of the stream. Limits the duration of the transaction. */
  issuesPerAction: 200,

  /** Characters of a comment: a stack trace with an explanation. */
  commentCharacters: 10_000,

  /** Maximum number of events or users until which an issue can be archived. More amounts to permanently. */
  archiveCount: 1_000_000,

  /** Characters of a saved search's name. */
  savedSearchNameCharacters: 60,

  /** Issues on one page of the stream. */
  issuePageSize: 50,

  /** The path of the tunnel, to which the browser sends Culvert's own events. */
  tunnelPath: '/monitoring',

  /** The environment of an event that names none. */
  defaultEnvironment: 'production',

  /** The first hex digits of an event id that form the digest on a failure page. */
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
