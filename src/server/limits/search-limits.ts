/** Limits of issue search. They bound the work of one search for any query and any number of issues. */
export const searchLimits = {
  /**
   * Time after which a search stops: the next page continues there, and counts are "at least". A page may
   * take 3,800 ms.
   */
  searchMs: 1_000,

  /**
   * Rows read per statement, about 1 µs each, which bounds how long the event loop blocks. The number of
   * issues per statement is this divided by the row reads per issue.
   */
  searchSliceReads: 10_000,

  /** Time that reads may block one tick of the event loop. Further statements wait for the next tick. */
  readTickMs: 15,

  /** Time that a read waits in the queue before it fails, sooner than its page: the server is overloaded. */
  readWaitMs: 3_000,

  /** Issues that one API request may change by query. */
  issuesPerBulkChange: 10_000,

  /** Time that this query may take. */
  bulkSearchMs: 10_000,

  /** Issues of a status scanned per page of a search. The next page continues. */
  scannedIssues: 20_000,

  /** Issues of a status, last seen first, scanned for the counts on the tabs. */
  countScannedIssues: 5_000,

  /** Maximum count on a tab. */
  countedIssues: 1_000,

  /**
   * Issues up to which a tag or trait counts as rare: a search reads and sorts them all, about 2 µs each
   * (measured).
   */
  rareTagIssues: 5_000,

  /** Issues up to which an assignee counts as rare: a search reads and sorts them all. */
  fewAssignedIssues: 5_000,

  /** Issues up to which a word counts as rare: the word index finds them, by prefix only. */
  rareTextIssues: 2_000,

  /**
   * Issues up to which a range of times or numbers counts as rare in a list with another order: a search
   * reads and sorts them. For more, scanning in list order finds 50 sooner: by trend, 20,000 matching issues
   * took 26 ms sorted and 5 ms scanned (measured).
   */
  rareRangeIssues: 2_000,

  /**
   * Newest hours of an issue, per environment, that determine the environment shown in its row. Grouping 14
   * days of an issue in three environments takes several times as long as the rest of the page (measured, 50
   * rows).
   */
  environmentHours: 100,

  /** Events of a trace scanned for their issues. */
  traceEventsSearched: 2_000,

  /** Last exceptions of an event whose types are indexed for its issue. */
  traitExceptions: 10,

  /** In-app frames, nearest to the error, that are indexed for its issue. */
  traitFrames: 20,

  /** Indexed values of an issue per key, except tags. Events of an issue mostly share them. */
  traitsPerIssueKey: 60,

  /** Events with distinct values that add to an issue's index per `traitIntervalMs`. */
  traitTexts: 10,

  traitIntervalMs: 60_000,

  /** Saved searches per user. */
  savedSearchesPerUser: 100,

  /** Suggested values of a tag. */
  suggestedValues: 20,
} as const
