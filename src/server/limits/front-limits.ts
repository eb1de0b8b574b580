/** Of what comes in: bodies, connections, waiting, rates. */
export const frontLimits = {
  /** Ingest body bytes on the wire, before decompression; Relay's former limit for compressed envelopes. */
  ingestWireBytes: 20_000_000,

  /**
   * Ingest body bytes after decompression, counted while inflating. Sentry allows 200 MiB, of which
   * attachments are nearly all.
   */
  ingestBodyBytes: 40_000_000,

  /** Security reports in one request; browsers send a few at a time. */
  reportsPerRequest: 100,

  /** Bytes of one event's payload; Sentry's limit for events (1 MiB). */
  eventBytes: 1_048_576,

  /**
   * Bytes of one envelope's items that are read as JSON: an event of full size and half as much again. A
   * megabyte of names that are all different takes up to 0.1 s (measured), and a body has room for forty.
   */
  jsonBytesPerEnvelope: 1_572_864,

  /** User reports of one envelope, each of which makes an event; SDKs send one. */
  userReportsPerEnvelope: 100,

  /**
   * Body bytes of all requests that are not answered yet, at most; less where there is less memory. Bounds
   * memory when many clients send much or slowly; beyond, the answer is 429.
   */
  ingestBufferedBytes: 256_000_000,

  /** Share of the memory that these bodies take at most. */
  bodyMemoryShare: 1 / 12,

  /** Bytes of memory below which it is small: then one body is inflated at a time. */
  smallMemoryBytes: 1_000_000_000,

  /**
   * Compressed bytes that are inflated at once, on the main thread: 64 kB take under 1 ms, a trip to the
   * thread pool 0.1 ms (measured).
   */
  inflateAtOnceWireBytes: 65_536,

  /** Bytes that inflating at once may yield; what grows beyond goes to the thread pool. */
  inflateAtOnceBytes: 1_048_576,

  /**
   * Bodies inflating in the thread pool at the same time: with `ingestBodyBytes` the bound on memory under a
   * flood of bombs.
   */
  inflatesAtOnce: 2,

  /** Window of a zstd body as a power of two: 8 MiB, what RFC 8878 asks every decoder to support. */
  zstdWindowLog: 23,

  /** Bytes of log lines that wait for room on a full disk; later ones are dropped until there is some. */
  logBufferBytes: 262_144,

  /** Bytes of one request line and its headers (nginx: 8 kB each). */
  headerBytes: 16_384,

  /** Milliseconds until the headers of a request must be here. */
  headersTimeoutMs: 10_000,

  /** Milliseconds until a whole request must be here. */
  requestTimeoutMs: 30_000,

  /**
   * Milliseconds an idle connection stays open: longer than the 60 s of common proxies, so that they close
   * first.
   */
  keepAliveTimeoutMs: 65_000,

  /**
   * Milliseconds without a byte in either direction until a connection is closed: a client that does not read
   * its answer.
   */
  socketIdleMs: 60_000,

  /**
   * Connections at a time, where the operating system's limit on open files allows them. An idle one takes 12
   * to 16 kB (measured).
   */
  connections: 25_000,

  /** Share of the memory that connections take at most, and bytes that an idle one takes. */
  connectionMemoryShare: 1 / 8,
  connectionBytes: 16_384,

  /**
   * Connections that wait to be taken while a turn of the event loop lasts; the system may allow fewer. What
   * does not fit tries again a second later. Node's own is 511.
   */
  listenBacklog: 4_096,

  /**
   * Open files kept for others than connections: the process has 29 open when idle (measured), with spare
   * ones for files being sent.
   */
  reservedFiles: 48,

  /**
   * Requests that are worked on together at least, where so many have arrived: 16 connections were measured
   * with it, and fewer make small transactions.
   */
  workedOnTogether: 4,

  /**
   * Milliseconds after which the work on envelopes is terminated: an item that takes longer becomes a dead
   * letter. The largest honest event takes a tenth of it (measured).
   */
  workMs: 200,

  /**
   * Milliseconds of work on envelopes until other things get their turn. An item that begins within them has
   * the rest of `workMs`.
   */
  workSliceMs: 20,

  /**
   * Bytes of an envelope up to which it is not timed under overload, where timing would take a quarter of the
   * throughput (measured).
   */
  untimedBytes: 16_384,

  /**
   * The share of `workMs` that terminated work must have spent on the processor to be the cause. With less,
   * the machine was stalled.
   */
  workCpuShare: 0.75,

  /** How often an item that was terminated during a stall is retried. */
  workStalls: 2,

  /**
   * Milliseconds that a request may wait for processing or its commit. Every SDK waits longer, so no request
   * is rejected below this.
   */
  longWaitMs: 400,

  /**
   * Consecutive event-loop ticks with long waits, and the milliseconds that they must last, to be an overload
   * and not a burst.
   */
  longWaits: 3,

  overloadAfterMs: 1_000,

  /**
   * The part of each turn of the event loop in which requests are admitted during overload: milliseconds, or
   * a share of the turn, whichever is more. Committing them takes about as long again, and what is left goes
   * to rejections.
   */
  admittedPerTurn: { leastMs: 20, share: 0.35 },

  /** The part in which rejections are sent. Reading the requests takes about twice as long (measured). */
  rejectionsPerTurn: { leastMs: 3, share: 0.06 },

  /**
   * Seconds a client is asked to wait during overload: this many, and up to `overloadRetrySpreadSeconds`
   * more.
   */
  overloadRetryAfterSeconds: 5,

  overloadRetrySpreadSeconds: 10,

  /** Milliseconds without a rejection after which an overload is over. */
  overloadCalmMs: 1_000,

  /**
   * Bytes of a rejected body that are still read and thrown away, so that the client gets to read the answer.
   */
  lingerBytes: 100_000_000,

  /** Milliseconds a rejected body is still read. */
  lingerMs: 10_000,

  /** Bytes from which a page or its data is compressed: what fits into one packet gains nothing. */
  compressFromBytes: 1_400,

  /** Body bytes of a request to the console (server functions, forms). */
  consoleBodyBytes: 262_144,

  /**
   * Milliseconds that requests in flight get at shutdown; the rest of Relay's 10 s is for draining and
   * closing the store.
   */
  drainMs: 7_000,

  /**
   * Milliseconds of those during which new connections are still taken, so that a load balancer reads that we
   * are not ready.
   */
  readinessGraceMs: 2_000,

  /**
   * Milliseconds after a readiness check during which the next one is expected. Load balancers ask every 1 to
   * 30 s.
   */
  readinessWatchedMs: 60_000,

  /** Milliseconds a readiness check waits for its write. Load balancers give up after 1 to 5 s. */
  readinessProbeMs: 2_000,

  /** Milliseconds that the result of writing to the store answers readiness checks. */
  readinessMaxAgeMs: 1_000,

  /** Seconds a client is asked to wait while the store cannot be written. */
  storeRetryAfterSeconds: 10,

  /** Milliseconds after which project keys changed by another process are seen at the latest. */
  projectKeysMaxAgeMs: 1_000,

  /**
   * Milliseconds between two reads of the project keys; a request with an unknown key waits for the next one.
   */
  projectKeysReadEveryMs: 20,

  /** Maximum `Retry-After` of a rate limit, in seconds; Relay's cap (`max_rate_limit`). */
  rateLimitRetrySeconds: 300,

  /**
   * Seconds that clients are told to retry later by a limit that lets nothing through; Relay's for "reject
   * all".
   */
  closedRateLimitSeconds: 60,

  /** Client addresses whose limits are remembered, the latest; about 400 bytes each. */
  rateLimitedAddresses: 20_000,

  /**
   * Addresses of which it is remembered whether they are trusted proxies: looking through the list takes
   * longer than the rest.
   */
  rememberedAddresses: 1_000,

  /** Keys, and projects, whose limits are remembered. */
  rateLimitedKeys: 10_000,

  /** Milliseconds that counts of rejected items are gathered before they are written together. */
  rejectedCountsMs: 1_000,

  /** Milliseconds between two samples of requests that were rejected for the same reason and project. */
  rejectionSampleMs: 60_000,

  /** Samples of rejected requests in one transaction: about 20 µs each. */
  rejectionSamplesAtOnce: 50,

  /** Kinds of rejected requests whose last sample is remembered; about 200 bytes each. */
  rememberedRejections: 1_000,

  /** Different settings of projects that are kept ready. Each is a few kB at most. */
  rememberedProjectSettings: 500,

  /** Length of a project's name and of a key's label: they stand in menus and titles. */
  projectNameCharacters: 100,

  /** Length of a project's slug: it stands in addresses and in the short ids of issues. */
  projectSlugCharacters: 50,

  /**
   * Lines of one list of a project's settings: patterns of a filter, field names, origins. Each is asked for
   * each event.
   */
  settingsLines: 200,

  /** Length of such a line. */
  settingsLineCharacters: 500,

  /**
   * Open streams of changes (`/live`); further ones are answered 503. A browser opens one for all its tabs.
   */
  liveStreams: 500,

  /** Open streams of one user; a further one closes the oldest. */
  liveStreamsPerUser: 10,

  /**
   * Milliseconds between two reads of the projects' marks while a stream is open: one statement for all
   * streams.
   */
  liveLookMs: 500,

  /**
   * Milliseconds after which the session and the reach of an open stream are checked, also when nothing
   * changes.
   */
  liveCheckMs: 10_000,

  /**
   * Milliseconds between two signs of life of a stream: well within the time after which proxies cut idle
   * connections.
   */
  liveHeartbeatMs: 15_000,

  /** Milliseconds after which a stream ends and the browser connects again. */
  liveStreamMs: 300_000,

  /** Keys of one project. All keys are held in memory. */
  keysPerProject: 100,

  /** Longest window of a rate limit or spike protection: a day. */
  settingsWindowSeconds: 86_400,

  /**
   * What one client address may send to a project unless it is set otherwise: 1,000 items a second, a minute
   * of them at once. No page comes near it; a server in an error loop sends several hundred a second
   * (measured).
   */
  addressRateLimit: { quantity: 60_000, windowSeconds: 60 },

  /**
   * Events of one issue kept whole in a window, unless it is set otherwise; 100 MB on disk. A person looks at
   * a few of them, so this is for statistics and searches.
   */
  spikeProtectionFullEvents: 100_000,

  /** Seconds of the window of spike protection, unless it is set otherwise. */
  spikeProtectionWindowSeconds: 3_600,

  /**
   * Of the events past `spikeProtectionFullEvents`, one in so many is kept whole, unless it is set otherwise.
   */
  spikeProtectionSampleEvery: 100,

  /** Milliseconds after which one more event of a guarded issue is kept whole. */
  spikeProtectionSampleMs: 60_000,

  /** Issues whose windows are remembered, the latest; about 200 bytes each. */
  spikeProtectedIssues: 20_000,

  /** Lost events one client report may claim for one reason; a larger number is cut to it. */
  clientReportQuantity: 1_000_000,

  /** Characters of the reason kept with a dead letter. */
  deadLetterReasonLength: 200,
} as const
