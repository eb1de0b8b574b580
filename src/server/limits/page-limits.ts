/** Limits of the reads behind screens. */
export const pageLimits = {
  /**
   * Events per page of an issue's list: 6 ms (measured). Each row reads its payload from a block inflated in
   * another thread.
   */
  issueEventsPerPage: 25,

  /** Events scanned per page of an issue's list filtered by tag: 8 ms (measured). */
  issueEventsSearched: 10_000,

  /** Distance from an end of the issue up to which an event's position is counted: 0.1 ms (measured). */
  countedPosition: 1_000,

  /** Other events of the same trace listed with an event. */
  traceEventsShown: 20,

  /** Events of a trace scanned for that list. A client can send a million with one trace id. */
  traceEventsRead: 200,

  /** Similar issues listed with an issue. */
  similarIssuesShown: 5,

  /** Issues of the same kind scanned for that list. */
  similarIssuesRead: 200,

  /** Newest releases marked in the trend of an issue. */
  releaseMarks: 24,

  /** Values listed per tag of an issue: `tagValuesPerIssueKey` and `(other)`. */
  tagValuesListed: 1_001,

  /** Tag keys listed of an issue: `tagKeysPerIssue` and `promotedTagKeys`. */
  tagKeysListed: 230,

  /** Environments of an issue counted for its row in a list; then `+99 or more`. */
  issueEnvironmentsCounted: 100,

  /** Issues, and projects, in the command palette. */
  paletteEntries: 8,

  /** Issues of each status, last seen first, that the palette scans: 6,000 take about 10 ms. */
  paletteIssuesRead: 2_000,

  /** Words of the palette's query. */
  paletteWords: 6,

  /** Prefetches that a process serves at a time. Other requests share the CPU and the store with them. */
  prefetchesAtOnce: 1,

  /** Time that a prefetch waits for others, which can be slow. */
  prefetchWaitMs: 100,

  /** Maximum age of the measured table sizes. */
  tableSizesMaxAgeMs: 600_000,

  /** Timeout of measuring, about 13 GB at the measured speed; the log cannot be checkpointed meanwhile. */
  tableSizesMs: 30_000,

  /** Time that a page waits for the sizes. A later request shows them. */
  tableSizesAwaitMs: 500,
} as const
