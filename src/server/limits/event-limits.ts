import { dayMs, minuteMs } from '#time/time-steps.ts'

/** Of one event as it is normalized, scrubbed and grouped. */
export const eventLimits = {
  /** Digests of other frameworks that one event is found by; an SDK's event has one or none. */
  foreignDigestsPerEvent: 5,

  /** Length of an event's message and of an exception's value. Sentry's Relay: MaxChars `message`. */
  messageCharacters: 8192,

  /**
   * Length of an exception's type and of a mechanism's type. Relay: `short path` is 128; Java class names are
   * longer.
   */
  exceptionTypeCharacters: 256,

  /** Length of a function, module, package or symbol name. Relay: `symbol`; C++ templates need the double. */
  symbolCharacters: 512,

  /** Length of a frame's path or URL. Relay: `path` is 256; signed URLs are longer. */
  pathCharacters: 1024,

  /**
   * Form of the report dialog: a text of `messageCharacters` with each character percent-encoded, name and
   * address.
   */
  reportFormBytes: 131_072,

  /** Length of one line of source code around a frame. The JavaScript SDKs snip at 140. */
  contextLineCharacters: 1024,

  /** Lines of source code before and after a frame, each. The JavaScript SDKs send 7. */
  contextLines: 20,

  /** Frames kept of one stack trace; in-app ones and those at both ends are preferred. Relay: 250. */
  frames: 250,

  /** Frames that keep their variables and surrounding source lines. Relay: 50. */
  detailedFrames: 50,

  /** Exceptions kept of one event's chain or group; the last ones, which were thrown, are preferred. */
  exceptions: 50,

  /** Threads kept of one event. */
  threads: 256,

  /** Breadcrumbs kept of one event, the newest. Relay and the SDKs: 100. */
  breadcrumbs: 100,

  /** Length of a breadcrumb's message. */
  breadcrumbMessageCharacters: 2048,

  /** Tags that one event may bring, its own ones. Bugsink (GHSA-5x67-j5xg-c5gj): 100. */
  tags: 100,

  /** Length of a tag's key. Relay: 200. */
  tagKeyCharacters: 200,

  /** Length of a tag's value. Relay: 200. */
  tagValueCharacters: 200,

  /** Length of a culprit and of a transaction's name. Relay: `culprit`. */
  culpritCharacters: 200,

  /** Length of an issue's title. Sentry: 256. */
  titleCharacters: 256,

  /** Length of what an issue is found by beyond its title and subtitle: a message, the causes. */
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

  /** Length of names and ids without a limit of their own: server, user, thread, SDK. */
  nameCharacters: 256,

  /** Length of a request's URL, of a header's and of a cookie's value. Common servers reject longer lines. */
  requestValueCharacters: 8192,

  /**
   * Headers, cookies and query parameters kept of one request, each. Node's own limit is 2000 header lines.
   */
  requestPairs: 200,

  /** Length of a user agent that is looked at. Real ones stay below 400. */
  userAgentCharacters: 512,

  /** User agents whose browser and system are remembered. About 1 kB each. */
  rememberedUserAgents: 2000,

  /**
   * Longest list of frames, as JSON, that is remembered in case it comes again: 250 frames with source lines.
   */
  repeatedFramesCharacters: 262_144,

  /** JSON of all lists of frames that are remembered. Takes 7 MB of memory (measured). */
  rememberedFramesCharacters: 2_000_000,

  /** Lists of frames that are known from one event, and shared from the second one. About 200 bytes each. */
  framesSeenOnce: 5_000,

  /** Parts of a fingerprint that the SDK set. */
  fingerprintParts: 100,

  /** Length of one part of a fingerprint. */
  fingerprintPartCharacters: 1024,

  /** Modules (dependencies with versions) kept of one event. */
  modules: 1000,

  /** Places of one event of which the page tells that something was taken out there. */
  redactions: 200,

  /** Length of the path of such a place. Real ones stay below 150. */
  redactionPathCharacters: 500,

  /** Field errors noted for one event; more of them say nothing new. */
  fieldErrors: 50,

  /** Nesting of free-form JSON (extra, contexts, variables, request body). Relay: 3 to 7, by field. */
  jsonDepth: 8,

  /** Length of one string in free-form JSON. */
  jsonStringCharacters: 8192,

  /** Length of one key in free-form JSON. */
  jsonKeyCharacters: 256,

  /** Keys and values of `extra`, of all contexts together, and of a request's body: entries, each. */
  jsonEntries: 2000,

  /**
   * Keys and values of `extra`, of all contexts together, and of a request's body: characters, each. Relay:
   * 16 kB.
   */
  jsonCharacters: 65_536,

  /** Entries in one frame's variables, one breadcrumb's data or one mechanism's data. */
  smallJsonEntries: 200,

  /** Characters in one frame's variables, one breadcrumb's data or one mechanism's data. Relay: 1 to 2 kB. */
  smallJsonCharacters: 8192,

  /**
   * Nesting of a payload that is stored after something was taken out of it. SDKs send 3 to 15 levels;
   * `JSON.stringify` fails at about 5,000.
   */
  scrubDepth: 100,

  /** Secrets in one text that are taken out one by one; a text with more goes as a whole. */
  secretsPerText: 500,

  /**
   * Secrets in one event that are taken out one by one; after that, whole texts go. Bounds the time that a
   * hostile event takes.
   */
  secretsPerEvent: 5_000,

  /**
   * Names in free-form values of one event that are read; what stands under further ones goes. SDKs send some
   * hundreds. To read a name takes up to 4 µs (measured), and into 1 MiB fit 100,000.
   */
  scrubNames: 20_000,

  /** Marks of one event that its `_meta` tells about; there may be more of them in it. */
  scrubRemarks: 200,

  /** Marks within one text that `_meta` tells about. */
  scrubRemarksPerValue: 20,

  /** Length of a field's name whose meaning is remembered; longer ones are values in the wrong place. */
  rememberedNameCharacters: 128,

  /** Names of fields whose meaning is remembered, for each project's settings. About 150 bytes each. */
  rememberedFieldNames: 5_000,

  /**
   * Rules of one kind that a project has for grouping; each is asked about each event, or each frame of it.
   */
  groupingRules: 300,

  /** Length of all rules of one kind together. */
  groupingRuleCharacters: 32_768,

  /** Frames of an event that a try-out of such rules lists. */
  triedFrames: 100,

  /** Places of an event that a try-out of scrubbing lists. */
  triedChanges: 100,

  /** Length of a text before and after, as such a try-out shows it. */
  triedTextCharacters: 300,

  /** Answers that one matcher of a rule remembers, by what it was asked about. */
  rememberedRuleAnswers: 1_000,

  /** How wrong a sender's clock is before its times are moved by the difference. Relay: 55 minutes. */
  clockDriftMs: 55 * minuteMs,

  /** How far an event's time may be ahead of ours before ours is taken. Relay: one minute. */
  futureEventMs: 60_000,

  /** How old an event may say it is before our time is taken. Relay: 30 days. */
  eventAgeMs: 30 * dayMs,

  /**
   * How long ago a session may have begun, and how long it is known by itself. Relay: five days. An update of
   * an older one could no longer be told from a new session.
   */
  sessionAgeMs: 5 * dayMs,

  /** Session items of one envelope. Relay: `max_session_count`. */
  sessionsPerEnvelope: 100,

  /** Buckets of one `sessions` item. Develop docs, "Envelopes": size limits. */
  sessionBucketsPerItem: 100,

  /**
   * Pairs of release and environment of which a project's sessions are counted. Ours: names are free text of
   * whoever sends, and each has rows by hour and by user. A hundred releases a day for three months stay
   * below it; what retention deletes makes room.
   */
  sessionSeriesPerProject: 10_000,

  /** Characters of whom a session is of that tell one user from another: an id, an address. */
  sessionUserCharacters: 250,
} as const
