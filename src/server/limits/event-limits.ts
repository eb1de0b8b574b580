import { dayMs, minuteMs } from '#time/time-steps.ts'

/** Limits of normalizing, scrubbing and grouping one event. */
export const eventLimits = {
  /** Digests of other frameworks indexed per event. An event of an SDK has at most one. */
  foreignDigestsPerEvent: 5,

  /** Length of an event's message and of an exception's value. Relay: MaxChars `message`. */
  messageCharacters: 8192,

  /** Length of the type of an exception or mechanism. Relay: `short path` is 128; Java's are longer. */
  exceptionTypeCharacters: 256,

  /** Length of a function, module, package or symbol name. Relay: `symbol`; C++ templates need twice that. */
  symbolCharacters: 512,

  /** Length of a frame's path or URL. Relay: `path` is 256; signed URLs are longer. */
  pathCharacters: 1024,

  /** Body bytes of the report dialog's form: `messageCharacters` percent-encoded, a name and an address. */
  reportFormBytes: 131_072,

  /** Length of a source line around a frame. The JavaScript SDKs cut at 140. */
  contextLineCharacters: 1024,

  /** Source lines before and after a frame, each. The JavaScript SDKs send 7. */
  contextLines: 20,

  /** Frames kept per stack trace; in-app frames and both ends are preferred. Relay: 250. */
  frames: 250,

  /** Frames that keep their variables and source lines. Relay: 50. */
  detailedFrames: 50,

  /** Exceptions kept per event; those thrown last are preferred. */
  exceptions: 50,

  /** Threads kept per event. */
  threads: 256,

  /** Newest breadcrumbs kept per event. Relay and the SDKs: 100. */
  breadcrumbs: 100,

  /** Length of a breadcrumb's message. */
  breadcrumbMessageCharacters: 2048,

  /** Tags in an event's payload. Bugsink (GHSA-5x67-j5xg-c5gj): 100. */
  tags: 100,

  /** Length of a tag's key. Relay: 200. */
  tagKeyCharacters: 200,

  /** Length of a tag's value. Relay: 200. */
  tagValueCharacters: 200,

  /** Length of a culprit and of a transaction's name. Relay: `culprit`. */
  culpritCharacters: 200,

  /** Length of an issue's title. Sentry: 256. */
  titleCharacters: 256,

  /** Length of an issue's searchable text without its title and subtitle: message and causes. */
  furtherTextCharacters: 1000,

  /** Length of an issue's subtitle. Sentry: 1024 for the value in an event's metadata. */
  subtitleCharacters: 1024,

  /** Length of an environment's name. Relay: `environment`. */
  environmentCharacters: 64,

  /** Length of a release's name. Relay: 250. */
  releaseCharacters: 250,

  /** Length of a distribution's name. Relay: 64. */
  distCharacters: 64,

  /** Length of a logger's name. Relay: 64; Java class names are longer. */
  loggerCharacters: 128,

  /** Length of names and ids without their own limit: server, user, thread, SDK. */
  nameCharacters: 256,

  /** Length of a request's URL, and of a header's or cookie's value. Common servers reject longer lines. */
  requestValueCharacters: 8192,

  /** Headers, cookies and query parameters kept per request, each. Node accepts 2,000 header lines. */
  requestPairs: 200,

  /** Length of a parsed user agent. Real ones stay below 400. */
  userAgentCharacters: 512,

  /** Cached results of parsing user agents, about 1 kB each. */
  cachedUserAgents: 2000,

  /** Longest cached list of frames, as JSON: 250 frames with source lines. */
  repeatedFramesCharacters: 262_144,

  /** JSON characters of all cached lists of frames: 7 MB of memory (measured). */
  cachedFramesCharacters: 2_000_000,

  /** Lists of frames seen in one event, which are cached from the second event on. About 200 bytes each. */
  framesSeenOnce: 5_000,

  /** Parts of a fingerprint set by the SDK. */
  fingerprintParts: 100,

  /** Length of one part of a fingerprint. */
  fingerprintPartCharacters: 1024,

  /** Modules (dependencies with versions) kept per event. */
  modules: 1000,

  /** Scrubbed locations that the page of an event lists. */
  redactions: 200,

  /** Length of the path of a scrubbed location. Real ones stay below 150. */
  redactionPathCharacters: 500,

  /** Field errors recorded per event. */
  fieldErrors: 50,

  /** Nesting of free-form JSON (extra, contexts, variables, request body). Relay: 3 to 7, by field. */
  jsonDepth: 8,

  /** Length of one string in free-form JSON. */
  jsonStringCharacters: 8192,

  /** Length of one key in free-form JSON. */
  jsonKeyCharacters: 256,

  /** Entries of `extra`, of all contexts together, and of a request's body, each. */
  jsonEntries: 2000,

  /** Characters of `extra`, of all contexts together, and of a request's body, each. Relay: 16 kB. */
  jsonCharacters: 65_536,

  /** Entries in one frame's variables, one breadcrumb's data or one mechanism's data. */
  smallJsonEntries: 200,

  /** Characters in one frame's variables, one breadcrumb's data or one mechanism's data. Relay: 1 to 2 kB. */
  smallJsonCharacters: 8192,

  /** Nesting of a payload after scrubbing. SDKs send 3 to 15 levels; `JSON.stringify` fails at 5,000. */
  scrubDepth: 100,

  /** Secrets replaced one by one in one text. A text with more is removed whole. */
  secretsPerText: 500,

  /** Secrets replaced one by one per event; further texts are removed whole. Bounds hostile events. */
  secretsPerEvent: 5_000,

  /**
   * Names checked in free-form values per event; values under further names are removed. SDKs send some
   * hundreds. A check takes up to 4 µs (measured), and 1 MiB has room for 100,000 names.
   */
  scrubNames: 20_000,

  /** Remarks in an event's `_meta`. The event may contain more scrubbed values. */
  scrubRemarks: 200,

  /** Remarks in `_meta` about one text. */
  scrubRemarksPerValue: 20,

  /** Length of a field name whose classification is cached. Longer names are misplaced values. */
  cachedNameCharacters: 128,

  /** Cached classifications of field names per set of project settings, about 150 bytes each. */
  cachedFieldNames: 5_000,

  /** Grouping rules of one kind per project. Each is evaluated for every event or every frame. */
  groupingRules: 300,

  /** Total length of a project's grouping rules of one kind. */
  groupingRuleCharacters: 32_768,

  /** Frames listed by a dry run of grouping rules. */
  triedFrames: 100,

  /** Locations listed by a dry run of scrubbing. */
  triedChanges: 100,

  /** Length of a text, before and after, in a dry run of scrubbing. */
  triedTextCharacters: 300,

  /** Cached results per matcher of a rule. */
  cachedRuleResults: 1_000,

  /** Clock drift of a sender above which its timestamps are corrected. Relay: 55 minutes. */
  clockDriftMs: 55 * minuteMs,

  /**
   * Maximum time that an event may be ahead of the server before the received time replaces its own. Relay:
   * one minute.
   */
  futureEventMs: 60_000,

  /** Maximum age of an event before the received time replaces its own. Relay: 30 days. */
  eventAgeMs: 30 * dayMs,

  /**
   * Maximum age of a session, and how long it is stored individually: an update of an older one would count
   * as a new session. Relay: five days.
   */
  sessionAgeMs: 5 * dayMs,

  /** Session items of one envelope. Relay: `max_session_count`. */
  sessionsPerEnvelope: 100,

  /** Buckets of one `sessions` item. Develop docs, "Envelopes": size limits. */
  sessionBucketsPerItem: 100,

  /**
   * Pairs of release and environment with session counts per project. Clients choose the names, and each pair
   * has rows by hour and by user. A hundred releases a day for three months fit; retention deletes old ones.
   */
  sessionSeriesPerProject: 10_000,

  /** Characters of a session's user id or address that distinguish users. */
  sessionUserCharacters: 250,
} as const
