/** Limits of the figures of transactions, spans and web vitals. */
export const figureLimits = {
  /** Names counted apart per segment; spans beyond it are `<other>`. A page load has about ten. */
  figuresPerSegment: 200,

  /** Names counted apart per project and commit. Bounds what a fold holds in memory. */
  figuresPerCommit: 5_000,

  /** Deltas that a fold reads at once. */
  figureFoldDeltas: 100,

  /** Names per fold, after which no more deltas are read. Bounds its memory. */
  figuresPerFold: 20_000,

  /**
   * Names that one transaction adds to the figures, as long as that is fast enough: a name takes about 100 µs
   * (measured), and errors wait for it.
   */
  figuresPerPart: 64,

  /**
   * Names of transactions, groups of spans, and routes that are counted apart per project and day. An app has
   * about 300 endpoints (measured at others), few more than a thousand.
   */
  figureNamesPerDay: 1_000,

  /** Rows per project, series and minute, or hour, or day: names times environments or releases. */
  figureRowsPerMinute: 1_000,
  figureRowsPerHour: 5_000,

  /**
   * Highest sum of durations in a row, in microseconds: 285 years. SQLite's driver throws when it reads a
   * larger integer, and 3,500 spans of `spanDurationMs` have one.
   */
  figureValueSum: Number.MAX_SAFE_INTEGER,

  /** Hours for which figures by the minute are kept. */
  figureMinuteHours: 48,

  /** Days for which figures by the hour are kept. */
  figureHourDays: 30,

  /** Rows on a page of the performance lists. */
  figuresPerPage: 50,

  /** Routes on a page of web vitals: each has five vitals on several devices, by the hour, to add up. */
  vitalsPerPage: 25,

  /**
   * Names of which the performance lists find the largest by another value than the time spent; the API lists
   * no more.
   */
  figuresShown: 100,

  /**
   * Rows of figures that a screen looks up one by one; it scans the range if it would need more. 6,000 rows
   * take 9 ms (measured).
   */
  figureSeeks: 10_000,

  /** Rows in which the list of transactions looks for the newest release and the one before it. */
  releaseRowsCompared: 3_000,

  /** Releases compared on the page of a transaction: the newest. */
  figureReleasesShown: 20,

  /** Groups of spans on the page of a transaction. */
  figureGroupsShown: 20,

  /** Groups of spans that are read for it: their categories are summed up. */
  figureGroupsRead: 500,

  /** Names of transactions among which those with spans of a group are found: more than a day has. */
  figureNamesHashed: 5_000,

  /** Segments of a project among which one statement looks for samples of a transaction. */
  sampledSegments: 5_000,

  /** Samples below which further segments are looked at: as many as the page of a transaction shows. */
  rootSamplesSought: 10,

  /** Minutes and hours in which samples of a rare transaction are looked for: the newest in which it ran. */
  sampleSteps: 20,

  /** Segments looked at in these. */
  soughtSegments: 30_000,

  /** Samples that are read: the slowest and the most typical of them are shown. */
  rootSamples: 200,
} as const
