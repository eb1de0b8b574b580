/** Of what screens read. */
export const pageLimits = {
  /**
   * Events on one page of an issue's list: 6 ms (measured); of each row the payload is read, and its block
   * inflated in another thread.
   */
  issueEventsPerPage: 25,

  /** Events of an issue that one page of its list looks through for a tag: 8 ms (measured). */
  issueEventsSearched: 10_000,

  /**
   * Events between an event and the nearer end of its issue up to which its number is counted; 0.1 ms
   * (measured).
   */
  countedPosition: 1_000,

  /** Other events of the same trace that are listed with an event. */
  traceEventsShown: 20,

  /** Events of a trace that are looked at for that: anybody can send a million with one trace id. */
  traceEventsRead: 200,

  /** Issues that look like the one that is shown. */
  similarIssuesShown: 5,

  /** Issues of the same kind that are looked at for that. */
  similarIssuesRead: 200,

  /** Releases marked in the trend of an issue, the newest. */
  releaseMarks: 24,

  /**
   * Values listed of one tag of an issue; as many are counted at most (`tagValuesPerIssueKey`), and
   * `(other)`.
   */
  tagValuesListed: 1_001,

  /** Issues that the command palette shows, and projects. */
  paletteEntries: 8,

  /**
   * Issues of each status, last seen first, that the palette looks through: 6,000 in all take about 10 ms.
   */
  paletteIssuesRead: 2_000,

  /** Words of a text that the palette looks for. */
  paletteWords: 6,

  /** Milliseconds for which what was measured of the database's tables is shown. */
  tableSizesMaxAgeMs: 600_000,

  /**
   * Milliseconds that measuring them may take: about 13 GB at the speed measured, while the log cannot be
   * written back.
   */
  tableSizesMs: 30_000,

  /** Milliseconds that the page waits for it; later ones have it. */
  tableSizesAwaitMs: 500,
} as const
