import { dayMs } from '#time/time-steps.ts'

/** Limits of forwarding to upstreams. */
export const forwardLimits = {
  /** Spans of a forwarded envelope. Relay drops envelopes with more. */
  forwardedSpans: 1_000,

  /** Bytes of queued envelopes per upstream, with dead letters. Then the oldest are dropped and counted. */
  outboxBytes: 1_000_000_000,

  /** Bytes of envelopes that share a compressed block. */
  outboxBlockBytes: 256 * 1024,

  /** Inflated blocks cached per upstream. Each category has its own blocks. */
  outboxBlocksKept: 4,

  /** Days that an envelope waits for its upstream. Sentry rejects events older than 30 days. */
  outboxDays: 14,

  /** Upstreams per project. */
  upstreamsPerProject: 5,

  /** Concurrent deliveries to one upstream. Bounds duplicates after a crash and reordering. */
  forwardConcurrency: 8,

  /**
   * Age of the oldest waiting envelope above which the in-flight window grows to `forwardWindowLate`. A burst
   * ends earlier.
   */
  forwardLateMs: 10_000,

  /**
   * In-flight window then, including deliveries that wait for their commit: about one ingest transaction
   * under full load.
   */
  forwardWindowLate: 32,

  /** Envelopes of an upstream fetched per read of the outbox. */
  forwardReadAhead: 64,

  /** Timeout of the DNS lookup for a new upstream. */
  nameLookUpMs: 2_000,

  /** Timeout of an upstream's response, as in the tunnel of `@sentry/core`. */
  forwardTimeoutMs: 30_000,

  /** Bytes a second that an upload to an upstream must reach, beyond `forwardTimeoutMs`: 800 kbit/s. */
  forwardBytesPerSecond: 100_000,

  /** Time that shutdown waits for deliveries. */
  forwardStopMs: 2_000,

  /** Time that an idle connection to an upstream stays open. */
  forwardIdleMs: 15_000,

  /** Time that the unused connection pool of a target is kept. */
  forwardPoolKeptMs: 600_000,

  /** Timeout of a response's body after its status. */
  forwardAnswerMs: 2_000,

  /** Bytes of a response's headers. Node: 16 KiB. */
  forwardAnswerHeadBytes: 16_384,

  /** Bytes read of a response before its connection is closed. */
  forwardAnswerBytes: 65_536,

  /** Maximum first delay after a failure; it doubles with each further failure. */
  forwardRetryMs: 1_000,

  /** Time after an accepted envelope during which a failure counts against the envelope, not the upstream. */
  forwardWellMs: 10_000,

  /** Envelopes that wait for a retry after such a failure: about 40 at 1,000 a second with 8 % failures. */
  forwardRetriesWaiting: 256,

  /** Maximum delay after failures. */
  forwardRetryMaxMs: 900_000,

  /** Rate limit after a 429 without `Retry-After`, as in the SDKs. */
  forwardRateLimitSeconds: 60,

  /** Maximum duration of an upstream's rate limit. */
  forwardRateLimitMaxSeconds: 86_400,

  /**
   * Failures of the oldest envelope before the sender probes an unreachable upstream with other envelopes: a
   * few seconds.
   */
  forwardTriesOfOldest: 3,

  /**
   * Failures of an envelope, with accepted ones in between, before it counts as a poison message. If every
   * second request fails at random, one envelope in a thousand does.
   */
  forwardPoisonRounds: 10,

  /** Envelopes of an upstream whose failures are counted. */
  forwardPoisonCandidates: 128,

  /**
   * Time for which a serverless instance sends after an answer. With `forwardStopMs` for the last ones it
   * stays within 20 s.
   */
  forwardSliceMs: 15_000,

  /** Time for which a serverless instance waits, after an answer, for another one that is sending. */
  forwardSliceLeaseMs: 2_000,

  /** Interval at which it tries again. */
  forwardSliceRetryMs: 100,

  /** Time for which the cron route sends. It waits as long for the lease of an instance that was killed. */
  forwardCronMs: 20_000,

  /** Window in which new envelopes cause one wake-up. */
  forwardWakeMs: 10,

  /** Interval of checks for changes by other processes. */
  forwardTickMs: 1_000,

  /** Interval of checks for expired envelopes. */
  forwardExpiryMs: 60_000,

  /**
   * Maximum clock jump after which envelopes still expire; after a larger one, none do for `clockDoubtMs`.
   * Less than retention's limit, which equals the maximum age of an envelope, and more than the hour between
   * two records of the clock.
   */
  forwardClockJumpMs: 7_200_000,

  /** Expired envelopes dropped per transaction. */
  forwardExpirySlice: 500,

  /** Minimum interval between two writes of an upstream's state. */
  forwardStateMs: 1_000,

  /** Age of a waiting envelope at which `culvert doctor` reports its upstream. */
  forwardStuckMs: dayMs,

  /** Newest dead letters of an upstream that the screen shows. */
  undeliveredShown: 50,
} as const
