/** Every limit of the server: one name each, with its unit and where the number comes from. */
export const limits = {
  /** Digests of other frameworks that one event is found by; an SDK's event has one or none. */
  foreignDigestsPerEvent: 5,

  /** Events in one transaction. Bounds how long the event loop is held: 500 events took 56 ms on a busy machine (measured). */
  eventsPerCommit: 500,

  /** Payload bytes in one transaction. Bounds its memory, and its time when events are large. */
  commitPayloadBytes: 16 * 1024 * 1024,

  /**
   * Milliseconds a request waits while another process writes to the database; beyond, it is told to come later. As long
   * as an SDK may wait for a proxy, and far longer than any write of Culvert's own takes.
   */
  storeBusyMs: 10_000,

  /**
   * Milliseconds between two looks at the free space of the disk; one takes 6 µs (measured). A small disk's floor is 3 MB,
   * and a busy server writes 70 MB of log a second.
   */
  freeSpaceCheckMs: 20,

  /**
   * Bytes of the disk below which nothing more is taken in: room for a whole write-ahead log (64 MiB), its checkpoint and
   * what people do in the console, with as much again for other programs' logs.
   */
  freeSpaceFloorBytes: 256 * 1024 * 1024,

  /** The same as a share of the disk, whichever is less: a small disk keeps most of itself usable. */
  freeSpaceFloorShare: 0.05,

  /** Bytes of a database that is looked through for damage at every start: 27 MB take 0.05 s of CPU (measured). */
  startCheckBytes: 64 * 1024 * 1024,

  /** Milliseconds between two attempts to become the server whose address stands in DSNs, once the first one has ended. */
  leadAttemptMs: 2_000,

  /** Milliseconds between two attempts to mend the log after a failed write, or to give its space back. */
  storeMendMs: 1_000,

  /** Payload bytes in one body block. Showing one event inflates its whole block: 1 MiB takes 1 to 3 ms (measured). */
  bodyBlockBytes: 1024 * 1024,

  /** Distinct values counted per issue and tag key; further ones are counted together as `(other)`. */
  tagValuesPerIssueKey: 1_000,

  /**
   * Events a second that are added to their issues' hours, tags and users in their own transaction. Beyond, a batch
   * leaves them as a delta: counting them took half of its time (measured).
   */
  countersAtOncePerSecond: 100,

  /** Milliseconds after which events left as a delta are counted at the latest. */
  counterFoldDelayMs: 1_000,

  /** Events that one transaction counts from deltas; as many waiting are counted before `counterFoldDelayMs`. Bounds how long the event loop is held. */
  counterFoldEvents: 2_000,

  /** Tag keys counted per event; the rest stays in the payload only. Sentry's SDKs send about ten, we promote about twenty. */
  indexedTagsPerEvent: 60,

  /** Distinct users of an issue that are counted exactly; beyond, the count is an estimate within about 3 %. */
  usersPerIssueExact: 1_024,

  /** Dropped items kept as samples per project, filter reason and UTC day: the newest. */
  filterSamplesPerDay: 5,

  /** Payload bytes of one kept sample; of a larger one only the title stays. Errors of SDKs have 2 to 14 kB (measured). */
  filterSampleBytes: 16_384,

  /** Characters of a password, at least. NIST SP 800-63B asks for 8, and 15 where it is the only factor. */
  passwordMinCharacters: 10,

  /** Characters of a password, at most: hashing a megabyte would be work for nothing. NIST asks for at least 64. */
  passwordCharacters: 256,

  /** Wrong passwords for one account before the next one has to wait. */
  signInFreeFailures: 5,

  /** Wrong passwords from one client address before the next one has to wait: an office may share one. */
  signInFreeFailuresPerAddress: 30,

  /** Milliseconds that a next try has to wait, at most. Longer would let anybody lock out anybody. */
  signInWaitMs: 60_000,

  /** E-mail and client addresses whose wrong passwords are remembered. About 100 bytes each. */
  signInNames: 10_000,

  /** Milliseconds that an invitation stays open. */
  inviteMs: 7 * 86_400_000,

  /** Milliseconds that a link for a new password stays open. */
  passwordLinkMs: 86_400_000,

  /** Milliseconds that a signed-in user is remembered between requests: asking the library takes 0.9 ms (measured). */
  rememberedViewerMs: 10_000,

  /**
   * Milliseconds after which it is looked again whether others have written to the store, and nobody is remembered if so.
   * Every commit of ingest is such a write: under load a look with each request would remember nobody at all.
   */
  viewersCheckMs: 1_000,

  /** Signed-in users remembered at the same time. About 1 kB each. */
  rememberedViewers: 1_000,

  /** Days that samples stay: the longest period of the screen which shows them. */
  filterSampleDays: 30,

  /** Dead letters listed at once, the newest. A bug makes many of one kind; the command line has them all. */
  deadLettersShown: 100,

  /** Samples shown per filter reason, newest first. */
  filterSamplesShown: 3,

  /** Characters shown of one sample's payload. */
  filterSampleCharacters: 4_000,

  /** Bytes of one attachment. Sentry allows 200 MiB; here the transaction that writes it holds the event loop meanwhile. */
  attachmentBytes: 5 * 1024 * 1024,

  /** Bytes of all attachments of one event. */
  attachmentBytesPerEvent: 10 * 1024 * 1024,

  /** Attachments of one event. */
  attachmentsPerEvent: 20,

  /** Bytes, as stored, of all attachments of a project: the part of a disk that strangers with a DSN may fill. */
  attachmentBytesPerProject: 1024 * 1024 * 1024,

  /** Parts of a form with attachments. */
  formParts: 100,

  /** Length of an attachment's name. Common file systems take 255 bytes. */
  attachmentNameCharacters: 255,

  /** Feedbacks shown with the event they are about, newest first. */
  feedbackPerEvent: 20,

  /** Distinct environments remembered per project: they fill a menu. */
  environmentsPerProject: 200,

  /** Matches shown for one digest. Twelve hex digits name one event in practice. */
  digestMatches: 20,

  /** Issues up to which a tag counts as rare: the stream then reads and sorts its issues, at about 2 µs each (measured). */
  rareTagIssues: 5_000,

  /** Values shown per tag key of an issue. */
  tagValuesShown: 5,

  /** Days that events are kept, unless a project says otherwise: what Sentry's paid plans keep. */
  retentionDays: 90,

  /** Days that a project may ask for at most: ten years, so that instants stay safe integers. */
  retentionMaxDays: 3_650,

  /** Events kept per project, unless it says otherwise: 1.0 to 1.3 GB of 6 kB each (measured). */
  retentionEvents: 1_000_000,

  /** Bytes that the database uses at most, unless the operator says otherwise: 8 to 10 projects at their limit. */
  retentionBytes: 10_000_000_000,

  /** Bytes that an operator may set as the limit at least: room for an empty database, and for a day of a small team. */
  smallestMaxBytes: 100_000_000,

  /** Share of the disk that the database uses at most. */
  retentionDiskShare: 0.8,

  /** Bytes that the database may use though the disk is nearly full: something else has filled it. */
  retentionFloorBytes: 1_000_000_000,

  /** Share of the file that stays free for what comes next, and that is deleted below a limit once it is reached. */
  retentionFreeShare: 0.05,

  /** Milliseconds of one transaction that deletes, aimed at: ingest may be held up for 50. */
  retentionSliceMs: 12,

  /** Milliseconds between two runs. A run that finds nothing to delete reads some index pages. */
  retentionIntervalMs: 3_600_000,

  /** Milliseconds between two looks at the size of the database, which can call for a run at once. */
  retentionTickMs: 30_000,

  /** Milliseconds from start to the first look: starting is busy enough. */
  retentionStartDelayMs: 60_000,

  /** Milliseconds that a process which vanished keeps the right to do work alone; a living one renews it three times as often. */
  leaseMs: 30_000,

  /** Milliseconds that the clock may jump ahead and be believed: a server that was switched off over the holidays. */
  clockJumpMs: 14 * 86_400_000,

  /** Milliseconds after which a clock that jumped further ahead, and stayed there, is believed. */
  clockDoubtMs: 86_400_000,

  /** Bytes of a block below which retention joins it with others that it leaves behind. */
  looseBlockBytes: 256 * 1024,

  /** Bytes that an event takes beside its payload, about, for foreseeing what deleting frees: rows and index entries (measured). */
  eventRowBytes: 300,

  /** Bytes of a deleted event's id that are remembered: the 12 hex digits of a digest. */
  expiredDigestBytes: 6,

  /** Deleted events of a project that a look-up knows of, the ones deleted last: 6 MB. */
  expiredDigestsPerProject: 1_000_000,

  /** Days that a look-up knows of a deleted event. */
  expiredDigestDays: 90,

  /** Dead letters kept per project, the newest: for people to look at. */
  deadLettersPerProject: 1_000,

  /** Bytes of the dead letters kept per project. */
  deadLetterBytesPerProject: 100_000_000,

  /** Bytes of a database file that is rewritten when it is opened, once, so that it can shrink: 5 s a gigabyte (measured). */
  rewriteAtOpenBytes: 256_000_000,

  /** Length of an event's message and of an exception's value. Sentry's Relay: MaxChars `message`. */
  messageCharacters: 8192,

  /** Length of an exception's type and of a mechanism's type. Relay: `short path` is 128; Java class names are longer. */
  exceptionTypeCharacters: 256,

  /** Length of a function, module, package or symbol name. Relay: `symbol`; C++ templates need the double. */
  symbolCharacters: 512,

  /** Length of a frame's path or URL. Relay: `path` is 256; signed URLs are longer. */
  pathCharacters: 1024,

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

  /** Length of a request's URL, of a header's and of a cookie's value. Common servers refuse longer lines. */
  requestValueCharacters: 8192,

  /** Headers, cookies and query parameters kept of one request, each. Node's own limit is 2000 header lines. */
  requestPairs: 200,

  /** Length of a user agent that is looked at. Real ones stay below 400. */
  userAgentCharacters: 512,

  /** User agents whose browser and system are remembered. About 1 kB each. */
  rememberedUserAgents: 2000,

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

  /** Keys and values of `extra`, of all contexts together, and of a request's body: characters, each. Relay: 16 kB. */
  jsonCharacters: 65_536,

  /** Entries in one frame's variables, one breadcrumb's data or one mechanism's data. */
  smallJsonEntries: 200,

  /** Characters in one frame's variables, one breadcrumb's data or one mechanism's data. Relay: 1 to 2 kB. */
  smallJsonCharacters: 8192,

  /** Nesting of a payload that is stored after something was taken out of it. SDKs send 3 to 15 levels; `JSON.stringify` fails at about 5,000. */
  scrubDepth: 100,

  /** Secrets in one text that are taken out one by one; a text with more goes as a whole. */
  secretsPerText: 500,

  /** Secrets in one event that are taken out one by one; after that, whole texts go. Bounds the time that a hostile event takes. */
  secretsPerEvent: 5_000,

  /** Marks of one event that its `_meta` tells about; there may be more of them in it. */
  scrubRemarks: 200,

  /** Marks within one text that `_meta` tells about. */
  scrubRemarksPerValue: 20,

  /** Different settings for scrubbing that are kept ready, each with the names it remembers. */
  rememberedScrubPlans: 100,

  /** Length of a field's name whose meaning is remembered; longer ones are values in the wrong place. */
  rememberedNameCharacters: 128,

  /** Names of fields whose meaning is remembered, for each project's settings. About 150 bytes each. */
  rememberedFieldNames: 5_000,

  /** How wrong a sender's clock is before its times are moved by the difference. Relay: 55 minutes. */
  clockDriftMs: 55 * 60_000,

  /** How far an event's time may be ahead of ours before ours is taken. Relay: one minute. */
  futureEventMs: 60_000,

  /** How old an event may say it is before our time is taken. Relay: 30 days. */
  eventAgeMs: 30 * 86_400_000,

  /** Ingest body bytes on the wire, before decompression; Relay's former limit for compressed envelopes. */
  ingestWireBytes: 20_000_000,

  /** Ingest body bytes after decompression, counted while inflating. Sentry allows 200 MiB, of which attachments are nearly all. */
  ingestBodyBytes: 40_000_000,

  /** Security reports in one request; browsers send a few at a time. */
  reportsPerRequest: 100,

  /** Bytes of one event's payload; Sentry's limit for events (1 MiB). */
  eventBytes: 1_048_576,

  /** Body bytes of all requests that are not answered yet. Bounds memory when many clients send much or slowly; beyond, the answer is 429. */
  ingestBufferedBytes: 256_000_000,

  /** Compressed bytes that are inflated at once, on the main thread: 64 kB take under 1 ms, a trip to the thread pool 0.1 ms (measured). */
  inflateAtOnceWireBytes: 65_536,

  /** Bytes that inflating at once may yield; what grows beyond goes to the thread pool. */
  inflateAtOnceBytes: 1_048_576,

  /** Bodies inflating in the thread pool at the same time: with `ingestBodyBytes` the bound on memory under a flood of bombs. */
  inflatesAtOnce: 2,

  /** Window of a zstd body as a power of two: 8 MiB, what RFC 8878 asks every decoder to support. */
  zstdWindowLog: 23,

  /** Bytes of one request line and its headers (nginx: 8 kB each). */
  headerBytes: 16_384,

  /** Milliseconds until the headers of a request must be here. */
  headersTimeoutMs: 10_000,

  /** Milliseconds until a whole request must be here. */
  requestTimeoutMs: 30_000,

  /** Milliseconds an idle connection stays open: longer than the 60 s of common proxies, so that they close first. */
  keepAliveTimeoutMs: 65_000,

  /** Milliseconds without a byte in either direction until a connection is closed: a client that does not read its answer. */
  socketIdleMs: 60_000,

  /** Connections at a time, where the operating system's limit on open files allows them. An idle one takes 12 to 16 kB (measured). */
  connections: 25_000,

  /**
   * Connections that wait to be taken while a turn of the event loop lasts; the system may allow fewer. What does not fit
   * tries again a second later. Node's own is 511.
   */
  listenBacklog: 4_096,

  /** Open files kept for others than connections: the process has 29 open when idle (measured), with spare ones for files being sent. */
  reservedFiles: 48,

  /**
   * Milliseconds that a request may wait to be worked on, or to be committed: any SDK waits for longer, so that below
   * nobody is refused.
   */
  longWaitMs: 400,

  /** Turns of the event loop with long waits, one after another, and the milliseconds they must have lasted, for an overload: a burst passes. */
  longWaits: 3,
  overloadAfterMs: 1_000,

  /**
   * The part of each turn of the event loop in which requests are admitted during overload: milliseconds, or a share of
   * the turn, whichever is more. Committing them takes about as long again, and what is left goes to refusals.
   */
  admittedPerTurn: { leastMs: 20, share: 0.35 },

  /** The part in which refusals are sent. Reading the requests takes about twice as long (measured). */
  refusalsPerTurn: { leastMs: 3, share: 0.06 },

  /** Seconds a client is asked to wait during overload: this many, and up to `overloadRetrySpreadSeconds` more. */
  overloadRetryAfterSeconds: 5,
  overloadRetrySpreadSeconds: 10,

  /** Milliseconds without a refusal after which an overload is over. */
  overloadCalmMs: 1_000,

  /** Bytes of a refused body that are still read and thrown away, so that the client gets to read the answer. */
  lingerBytes: 100_000_000,

  /** Milliseconds a refused body is still read. */
  lingerMs: 10_000,

  /** Bytes from which a page or its data is compressed: what fits into one packet gains nothing. */
  compressFromBytes: 1_400,

  /** Body bytes of a request to the console (server functions, forms). */
  consoleBodyBytes: 262_144,

  /** Milliseconds that requests in flight get at shutdown; the rest of Relay's 10 s is for draining and closing the store. */
  drainMs: 7_000,

  /** Milliseconds of those during which new connections are still taken, so that a load balancer reads that we are not ready. */
  readinessGraceMs: 2_000,

  /** Milliseconds after a readiness check during which the next one is expected. Load balancers ask every 1 to 30 s. */
  readinessWatchedMs: 60_000,

  /** Milliseconds a readiness check waits for its write. Load balancers give up after 1 to 5 s. */
  readinessProbeMs: 2_000,

  /** Milliseconds that the result of writing to the store answers readiness checks. */
  readinessMaxAgeMs: 1_000,

  /** Seconds a client is asked to wait while the store cannot be written. */
  storeRetryAfterSeconds: 10,

  /** Milliseconds after which project keys changed by another process are seen at the latest. */
  projectKeysMaxAgeMs: 1_000,

  /** Milliseconds between two reads of the project keys; a request with an unknown key waits for the next one. */
  projectKeysReadEveryMs: 20,

  /** Seconds that clients are told to wait by a limit at most; Relay's cap (`max_rate_limit`). */
  rateLimitRetrySeconds: 300,

  /** Seconds that clients are told to wait by a limit that lets nothing through; Relay's for "reject all". */
  closedRateLimitSeconds: 60,

  /** Client addresses whose limits are remembered, the latest; about 400 bytes each. */
  rateLimitedAddresses: 20_000,

  /** Keys, and projects, whose limits are remembered. */
  rateLimitedKeys: 10_000,

  /** Milliseconds that counts of refused items are gathered before they are written together. */
  refusedCountsMs: 1_000,

  /** Longest window of a rate limit or spike guard: a day. */
  settingsWindowSeconds: 86_400,

  /**
   * What one client address may send to a project unless it is set otherwise: 1,000 items a second, a minute of them at
   * once. No page comes near it; a server in an error loop sends several hundred a second (measured).
   */
  addressRateLimit: { quantity: 60_000, windowSeconds: 60 },

  /**
   * Events of one issue kept whole in a window, unless it is set otherwise; 100 MB on disk. A person looks at a few of
   * them, so this is for statistics and searches.
   */
  spikeGuardFullEvents: 100_000,

  /** Seconds of a spike guard's window, unless it is set otherwise. */
  spikeGuardWindowSeconds: 3_600,

  /** Of the events past `spikeGuardFullEvents`, one in so many is kept whole, unless it is set otherwise. */
  spikeGuardSampleEvery: 100,

  /** Milliseconds after which one more event of a guarded issue is kept whole. */
  spikeGuardSampleMs: 60_000,

  /** Issues whose windows are remembered, the latest; about 200 bytes each. */
  spikeGuardedIssues: 20_000,

  /** Lost events one client report may claim for one reason; a larger number is cut to it. */
  clientReportQuantity: 1_000_000,

  /** Characters of the reason kept with a dead letter. */
  deadLetterReasonLength: 200,
} as const
