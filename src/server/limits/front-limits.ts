import { appConfig } from '../../../app.config.ts'

/** Limits of the HTTP front: bodies, connections, overload, rates. */
export const frontLimits = {
  /** Timeout of a request by `culvert doctor` to the server's public address. */
  doctorAnswerMs: 5_000,

  /** Clock difference from which `culvert doctor` reports it: events and sessions carry their times. */
  clockDifferenceMs: 5_000,

  /**
   * Growth of the old generation of a thread, in percent, before V8 collects it. By default the heap about
   * doubles: 476 MB are resident with list pages at full rate, 396 MB with this value (measured).
   */
  heapGrowthPercent: 50,

  /** Ingest body bytes before decompression. Relay's former limit for compressed envelopes. */
  ingestWireBytes: 20_000_000,

  /** Ingest body bytes after decompression, counted while inflating. Sentry: 200 MiB, for attachments. */
  ingestBodyBytes: 40_000_000,

  /** Security reports in one request. Browsers send a few. */
  reportsPerRequest: 100,

  /** Bytes of one event's payload. Sentry: 1 MiB. */
  eventBytes: 1_048_576,

  /**
   * JSON bytes parsed per envelope, except spans: 1.5 events of full size. A megabyte of distinct names takes
   * up to 0.1 s (measured), and a body has room for 40.
   */
  jsonBytesPerEnvelope: 1_572_864,

  /** User reports of one envelope, each of which creates an event. SDKs send one. */
  userReportsPerEnvelope: 100,

  /**
   * Body bytes of all requests in progress; less on machines with little memory. Bounds memory when many
   * clients send large or slow bodies. Beyond it the server answers 429.
   */
  ingestBufferedBytes: 256_000_000,

  /** Maximum share of memory for these bodies. */
  bodyMemoryShare: 1 / 12,

  /** Memory below which the server inflates one body at a time. */
  smallMemoryBytes: 1_000_000_000,

  /** Compressed bytes inflated synchronously: 64 kB take under 1 ms, the thread pool 0.1 ms (measured). */
  inflateAtOnceWireBytes: 65_536,

  /** Maximum output of synchronous inflating. Larger bodies go through the thread pool. */
  inflateAtOnceBytes: 1_048_576,

  /**
   * Bodies inflated concurrently in the thread pool. With `ingestBodyBytes` it bounds memory under a flood of
   * zip bombs.
   */
  inflatesAtOnce: 2,

  /** zstd window as a power of two: 8 MiB, which RFC 8878 recommends every decoder to support. */
  zstdWindowLog: 23,

  /** Bytes of log lines buffered while the disk is full. Later lines are dropped. */
  logBufferBytes: 262_144,

  /** Bytes of the request line and headers. nginx: 8 kB per line. */
  headerBytes: 16_384,

  /** Timeout of a request's headers. */
  headersTimeoutMs: 10_000,

  /** Timeout of a whole request, unless its body continues to arrive. */
  requestTimeoutMs: 30_000,

  /**
   * After `requestTimeoutMs`, a body must progress by `slowBodyBytes` in each window. Apache's mod_reqtimeout
   * also has 20 s and 500 bytes a second.
   */
  slowBodyWindowMs: 20_000,
  slowBodyBytes: 10_000,

  /** Timeout of such a request as a whole: 20 MB at 270 kbit/s. */
  slowBodyTimeoutMs: 600_000,

  /** Maximum share of the memory for bodies that slow ones may use, so that they do not reject all others. */
  slowBodyShare: 1 / 2,

  /** Time that an idle connection stays open: over the 60 s of proxies, so that they close first. */
  keepAliveTimeoutMs: 65_000,

  /** Time without a byte in either direction before a connection is closed: it reads no response. */
  socketIdleMs: 60_000,

  /** Concurrent connections, if open files allow them. An idle one takes 12 to 16 kB (measured). */
  connections: 25_000,

  /** Maximum share of memory for connections, and bytes per idle one. */
  connectionMemoryShare: 1 / 8,
  connectionBytes: 16_384,

  /** Listen backlog; the system may cap it. Clients retry a second later when it is full. Node: 511. */
  listenBacklog: 4_096,

  /** Open files that are not connections: an idle process has 29 (measured), and responses send files. */
  reservedFiles: 48,

  /**
   * Minimum concurrency of envelope work: 16 connections were measured with it, and less makes small
   * transactions.
   */
  workedOnTogether: 4,

  /**
   * Time after which work on an item is terminated and the item becomes a dead letter. The largest legitimate
   * event takes a tenth of it (measured).
   */
  workMs: 200,

  /** Time slice of envelope work per event-loop tick. An item within it may use the rest of `workMs`. */
  workSliceMs: 20,

  /**
   * Envelopes up to this size are not timed during overload, where timing costs a quarter of the throughput
   * (measured).
   */
  untimedBytes: 16_384,

  /**
   * Share of `workMs` that terminated work must have spent on the CPU to be the cause. With less, the machine
   * was stalled.
   */
  workCpuShare: 0.75,

  /** Retries of an item that was terminated during a stall, each with twice the time: 6.4 s for the last. */
  workStalls: 5,

  /**
   * Time that a request may wait for processing or its commit. Every SDK waits longer, so no request is
   * rejected below this.
   */
  longWaitMs: 400,

  /**
   * Consecutive event-loop ticks with long waits, and their minimum duration, that count as an overload and
   * not a burst.
   */
  longWaits: 3,

  overloadAfterMs: 1_000,

  /**
   * Budget of each tick for admitting requests during overload: the larger of a time and a share of the tick.
   * Committing them takes about as long again; rejections use the rest.
   */
  admittedPerTick: { leastMs: 20, share: 0.35 },

  /** Budget of each tick for sending rejections. Reading the requests takes twice as long (measured). */
  rejectionsPerTick: { leastMs: 3, share: 0.06 },

  /** `Retry-After` during overload, plus up to `overloadRetrySpreadSeconds`. */
  overloadRetryAfterSeconds: 5,

  overloadRetrySpreadSeconds: 10,

  /** Time without a rejection after which an overload has ended. */
  overloadCalmMs: 1_000,

  /** Part of the tick's budget, from its start, in which traces are stored: errors have the rest. */
  tracesOfTick: 0.5,

  /** Time without items other than traces after which traces count as the only load. */
  tracesAloneMs: 1_000,

  /** Minimum share of admitted requests that keep their traces while they are the only load. */
  tracesAloneShare: 0.5,

  /** Time in which the share of requests that keep their traces rises from none to all. */
  traceRecoveryMs: 2_000,

  /** Bytes of a rejected body that the server reads and discards, so that a client can read the response. */
  lingerBytes: 100_000_000,

  /** Time for which the server reads a rejected body. */
  lingerMs: 10_000,

  /** Minimum size of a compressed page or its data. A single packet gains nothing. */
  compressFromBytes: 1_400,

  /** Body bytes of a request to the console: server functions and forms. */
  consoleBodyBytes: appConfig.formBytes,

  /** Time for requests in flight at shutdown; the rest of Relay's 10 s is for closing the store. */
  drainMs: 7_000,

  /**
   * Part of `drainMs` during which new connections are accepted, so that a load balancer sees the failing
   * readiness check.
   */
  readinessGraceMs: 2_000,

  /** Part of `drainMs` for accepting the connections that the kernel has accepted, under load. */
  acceptWaitingMs: 250,

  /** Maximum time between two readiness checks of a load balancer; usual intervals are 1 to 30 s. */
  readinessWatchedMs: 60_000,

  /** Timeout of a readiness check's write. Load balancers give up after 1 to 5 s. */
  readinessProbeMs: 2_000,

  /** Cache lifetime of a readiness check's result. */
  readinessMaxAgeMs: 1_000,

  /** `Retry-After` while the store is not writable. */
  storeRetryAfterSeconds: 10,

  /** Maximum age of the cached project keys, which other processes also change. */
  projectKeysMaxAgeMs: 1_000,

  /** Time for which known project keys stay valid while they cannot be read. */
  projectKeysTrustedMs: 60_000,

  /** Minimum interval between two reads of the project keys. An unknown key waits for the next read. */
  projectKeysReadEveryMs: 20,

  /** Maximum `Retry-After` of a rate limit. Relay: `max_rate_limit`. */
  rateLimitRetrySeconds: 300,

  /** `Retry-After` of a limit of zero. Relay: "reject all". */
  closedRateLimitSeconds: 60,

  /** Latest client addresses with a rate limit in memory, about 400 bytes each. */
  rateLimitedAddresses: 20_000,

  /** Cached addresses with whether they are trusted proxies; matching the list dominates the lookup. */
  cachedAddresses: 1_000,

  /** Keys, and projects, with a rate limit in memory. */
  rateLimitedKeys: 10_000,

  /** Interval at which counts of rejected items are written. */
  rejectedCountsMs: 1_000,

  /** Minimum interval between two samples of requests rejected for the same reason and project. */
  rejectionSampleMs: 60_000,

  /** Samples of rejected requests per transaction, about 20 µs each. */
  rejectionSamplesAtOnce: 50,

  /** Kinds of rejected requests whose last sample is in memory, about 200 bytes each. */
  cachedRejections: 1_000,

  /** Cached sets of project settings, at most a few kB each. */
  cachedProjectSettings: 500,

  /** Length of a project's name and of a key's label, which appear in menus and titles. */
  projectNameCharacters: 100,

  /** Length of a project's slug, which appears in URLs and short ids of issues. */
  projectSlugCharacters: 50,

  /**
   * Lines of a list in a project's settings: filter patterns, field names, origins. Each is evaluated for
   * every event.
   */
  settingsLines: 200,

  /** Length of such a line. */
  settingsLineCharacters: 500,

  /** Open streams of changes (`/live`). Further ones get 503. A browser shares one between its tabs. */
  liveStreams: 500,

  /** Open streams per user. A further one closes the oldest. */
  liveStreamsPerUser: 10,

  /** Interval of reading the projects' change marks while a stream is open, one statement for all streams. */
  livePollMs: 500,

  /** Interval of checking the session and the access of an open stream. */
  liveCheckMs: 10_000,

  /** Interval of heartbeats, below the idle timeout of proxies. */
  liveHeartbeatMs: 15_000,

  /** Lifetime of a stream. The browser then reconnects. */
  liveStreamMs: 300_000,

  /** Keys per project. All keys are in memory. */
  keysPerProject: 100,

  /** Longest window of a rate limit or spike protection: a day. */
  settingsWindowSeconds: 86_400,

  /**
   * Default rate limit of a client address per project: 1,000 items a second, in bursts of a minute, where a
   * batch of spans is one item. No page sends as many; a server in an error loop sends several hundred a
   * second (measured).
   */
  addressRateLimit: { quantity: 60_000, windowSeconds: 60 },

  /** Default number of events of one issue stored whole per window: 100 MB on disk. */
  spikeProtectionFullEvents: 100_000,

  /** Default window of the spike protection. */
  spikeProtectionWindowSeconds: 3_600,

  /** Default sampling beyond `spikeProtectionFullEvents`: one of this many events is stored whole. */
  spikeProtectionSampleEvery: 100,

  /** Time after which another event of a guarded issue is stored whole. */
  spikeProtectionSampleMs: 60_000,

  /** Latest issues with a window in memory, about 200 bytes each. */
  spikeProtectedIssues: 20_000,

  /** Lost events that one client report may claim per reason; larger numbers are capped. */
  clientReportQuantity: 1_000_000,

  /** Characters of the reason stored with a dead letter. */
  deadLetterReasonLength: 200,
} as const
