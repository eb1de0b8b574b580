/** Every limit of the server: one name each, with its unit and where the number comes from. */
export const limits = {
  /** Events in one transaction. Bounds how long the event loop is held: 1,000 events take about 40 ms (measured). */
  eventsPerCommit: 1_000,

  /** Payload bytes in one transaction. Bounds its memory, and its time when events are large. */
  commitPayloadBytes: 16 * 1024 * 1024,

  /** Payload bytes in one body block. Showing one event inflates its whole block: 1 MiB takes about 1 ms (measured). */
  bodyBlockBytes: 1024 * 1024,

  /** Distinct values counted per issue and tag key; further ones are counted together as `(other)`. */
  tagValuesPerIssueKey: 1_000,

  /** Tag keys counted per event; the rest stays in the payload only. Sentry's SDKs send about ten, we promote about twenty. */
  indexedTagsPerEvent: 60,

  /** Characters of a tag key and a tag value that are counted; Sentry's own limit for both is 200. */
  indexedTagLength: 200,

  /** Distinct users of an issue that are counted exactly; beyond, the count is an estimate within about 3 %. */
  usersPerIssueExact: 1_024,

  /** Distinct environments remembered per project: they fill a menu. */
  environmentsPerProject: 200,

  /** Matches shown for one digest. Twelve hex digits name one event in practice. */
  digestMatches: 20,

  /** Values shown per tag key of an issue. */
  tagValuesShown: 5,
} as const
