/** Limits of the figures of transactions, spans and web vitals. */
export const figureLimits = {
  /** Names counted separately per segment; further spans count as `<other>`. A page load has about ten. */
  figuresPerSegment: 200,

  /** Names counted separately per project and commit. Bounds the memory of a fold. */
  figuresPerCommit: 5_000,

  /** Deltas that a fold reads at once. */
  figureFoldDeltas: 100,

  /** Names per fold, after which no more deltas are read. Bounds its memory. */
  figuresPerFold: 20_000,

  /**
   * Names that one transaction adds to the figures, while it stays within its time limit: a name takes about
   * 100 µs (measured), and errors wait for it. Half as many more if several projects have few names each.
   */
  figuresPerPart: 64,

  /**
   * Names of transactions, groups of spans, and routes counted separately per project and day. An app has
   * about 300 endpoints (measured), few have more than a thousand.
   */
  figureNamesPerDay: 1_000,

  /** Rows per project, series and minute, or hour, or day: names times environments or releases. */
  figureRowsPerMinute: 1_000,
  figureRowsPerHour: 5_000,

  /**
   * Maximum sum of durations in a row, in microseconds: 285 years. SQLite's driver throws when it reads a
   * larger integer, which 3,500 spans of `spanDurationMs` would have.
   */
  figureValueSum: Number.MAX_SAFE_INTEGER,

  /** Hours for which figures by the minute are kept. */
  figureMinuteHours: 48,

  /** Days for which figures by the hour are kept. */
  figureHourDays: 30,

  /** Rows on a page of the performance lists. */
  figuresPerPage: 50,

  /** Routes on a page of web vitals, each with five for several devices, whose hourly figures are summed. */
  vitalsPerPage: 25,

  /**
   * Names among which the performance lists find the largest by a value other than total time; the API lists
   * no more.
   */
  figuresShown: 100,

  /**
   * Rows of figures that a screen looks up one by one; for more, it scans the range. 6,000 rows take 9 ms
   * (measured).
   */
  figureSeeks: 10_000,

  /** Rows in which the list of transactions looks for the newest release and its predecessor. */
  releaseRowsCompared: 3_000,

  /** Releases compared on the page of a transaction: the newest. */
  figureReleasesShown: 20,

  /** Groups of spans on the page of a transaction. */
  figureGroupsShown: 20,

  /** Groups of spans read for it, to sum up their categories. */
  figureGroupsRead: 500,

  /** Names of transactions among which those with spans of a group are found: more than a day has. */
  figureNamesHashed: 5_000,

  /** Segments of a project that one statement scans for samples of a transaction. */
  sampledSegments: 5_000,

  /** Number of samples below which further segments are scanned: as many as a transaction's page shows. */
  rootSamplesSought: 10,

  /** Minutes and hours scanned for samples of a rare transaction: the newest in which it ran. */
  sampleSteps: 20,

  /** Segments scanned in these. */
  soughtSegments: 30_000,

  /** Samples read, of which the slowest and the most typical are shown. */
  rootSamples: 200,
} as const
