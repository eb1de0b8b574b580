/**
 * Limits of searching issues: what bounds the work of one search, however it is written and however many
 * issues there are.
 */
export const searchLimits = {
  /**
   * Milliseconds after which a search ends where it is: the next page goes on, and counts are "at least". A
   * page of the console may take 3,800.
   */
  searchMs: 1_000,

  /**
   * Rows that one statement of a search may read, at about 1 µs each: the event loop is held for no longer. A
   * search reads as many issues at a time as it has row reads for each of them.
   */
  searchSliceReads: 10_000,

  /**
   * Milliseconds that reads may hold one tick of the event loop; further statements wait for the next one.
   */
  readTickMs: 15,

  /**
   * Milliseconds that a read waits for its turn. Then it fails, sooner than the page that waits for it: the
   * server is overloaded.
   */
  readWaitMs: 3_000,

  /** Issues that one call of the API may change by a query instead of by their ids. */
  issuesPerBulkChange: 10_000,

  /** Milliseconds that finding them may take. */
  bulkSearchMs: 10_000,

  /** Issues of a status that are scanned for a page of a search. The next page goes on. */
  scannedIssues: 20_000,

  /** Issues of a status that are scanned for the counts on the tabs, the ones seen last. */
  countScannedIssues: 5_000,

  /** Issues of a status that are counted, for the tabs of the stream. */
  countedIssues: 1_000,

  /**
   * Issues up to which a tag or a trait counts as rare: a search then reads and sorts them all, at about 2 µs
   * each (measured).
   */
  rareTagIssues: 5_000,

  /** Issues up to which a person has few: they are read and sorted, too. */
  fewAssignedIssues: 5_000,

  /**
   * Issues up to which a word counts as rare: they are found by the index of words, and the word only at the
   * beginning of one.
   */
  rareTextIssues: 2_000,

  /**
   * Issues up to which those with a time or a number in a range count as few, in a list that is sorted by
   * something else: they are read and sorted. Of more, 50 are found sooner on the walk of the list's order:
   * by trend, of 20,000 issues that all are of that time, the list took 26 ms sorted and 5 walked, most of
   * these for its bars (measured).
   */
  rareRangeIssues: 2_000,

  /**
   * Hours of an issue, each of one environment, that tell which environment a row of the stream names: the
   * newest in the time of the bars. Grouping 14 days of an issue that is busy in three environments takes
   * several times as long as the rest of the page (measured, 50 rows).
   */
  environmentHours: 100,

  /** Events of one trace that are looked at for the issues they belong to. */
  traceEventsSearched: 2_000,

  /** Exceptions of an event whose types its issue is found by, the last ones. */
  traitExceptions: 10,

  /** Frames of an event that its issue is found by: of the application, nearest to the error. */
  traitFrames: 20,

  /** Values that an issue is found by for each word, besides tags: events of an issue mostly share them. */
  traitsPerIssueKey: 60,

  /**
   * Events of an issue, each telling something else, that add to what it is found by in `traitIntervalMs`.
   */
  traitTexts: 10,

  traitIntervalMs: 60_000,

  /** Searches that one person may keep. */
  savedSearchesPerUser: 100,

  /** Values of a tag that are suggested. */
  suggestedValues: 20,
} as const
