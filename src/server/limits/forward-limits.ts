import { dayMs } from '#time/time-steps.ts'

/** Of what is sent on to upstreams. */
export const forwardLimits = {
  /**
   * Bytes of envelopes kept for one upstream, dead letters included; beyond, the oldest are dropped and
   * counted.
   */
  outboxBytes: 1_000_000_000,

  /** Bytes of envelopes that are compressed together, and inflated together when one of them is sent. */
  outboxBlockBytes: 256 * 1024,

  /** Inflated blocks cached per upstream. Each category has its own blocks. */
  outboxBlocksKept: 4,

  /** Days that an envelope waits for its upstream: Sentry takes no event that is older than 30. */
  outboxDays: 14,

  /** Upstreams of one project. */
  upstreamsPerProject: 5,

  /**
   * Envelopes on their way to one upstream at once: as many may come twice when the process is killed, and
   * fewer overtake one.
   */
  forwardConcurrency: 8,

  /**
   * Milliseconds that an envelope waits beside what comes in, before more of them may be sent than one
   * transaction settles at a time: a burst passes meanwhile.
   */
  forwardLateMs: 10_000,

  /**
   * Envelopes on their way or waiting for their commit then: about what comes in with one transaction under
   * full load.
   */
  forwardPlacesLate: 32,

  /** Envelopes of an upstream that are looked up in one read of the outbox. */
  forwardReadAhead: 64,

  /** Milliseconds to find out what the name of a new upstream means. */
  nameLookUpMs: 2_000,

  /** Milliseconds until an upstream must have answered; what `@sentry/core`'s own tunnel waits. */
  forwardTimeoutMs: 30_000,

  /** Milliseconds that deliveries are waited for when the server stops. */
  forwardStopMs: 2_000,

  /** Milliseconds that an idle connection to an upstream is kept. */
  forwardIdleMs: 15_000,

  /** Milliseconds that the rest of an answer is waited for once its status has come. */
  forwardAnswerMs: 2_000,

  /** Bytes of the head of an answer; Node's own limit. */
  forwardAnswerHeadBytes: 16_384,

  /** Bytes of an answer that are read before its connection is closed. */
  forwardAnswerBytes: 65_536,

  /** Milliseconds of the first delay after a failure, at most; it doubles with each further one. */
  forwardRetryMs: 1_000,

  /**
   * Milliseconds after an accepted envelope during which a failure concerns the envelope that failed, and not
   * its upstream.
   */
  forwardWellMs: 10_000,

  /** Envelopes that wait by themselves after such a failure; about 40 at 1,000 a second of which 8 % fail. */
  forwardRetriesWaiting: 256,

  /** Milliseconds of a delay after failures, at most. */
  forwardRetryMaxMs: 900_000,

  /** Seconds of the rate limit after a 429 without a time, as in the SDKs. */
  forwardRateLimitSeconds: 60,

  /** Seconds of a rate limit, at most. */
  forwardRateLimitMaxSeconds: 86_400,

  /**
   * Failures of the oldest envelope after which the sender probes an unreachable upstream with other
   * envelopes: some seconds of failures.
   */
  forwardTriesOfOldest: 3,

  /**
   * Times that an upstream must have failed on an envelope and accepted others in between before the envelope
   * counts as poison. If an upstream fails on every second request at random, one envelope in a thousand
   * does.
   */
  forwardPoisonRounds: 10,

  /** Envelopes of an upstream whose failures are counted. */
  forwardPoisonCandidates: 128,

  /** Milliseconds during which new envelopes cause one wake-up. */
  forwardWakeMs: 10,

  /** Milliseconds between two looks for what other processes have changed. */
  forwardTickMs: 1_000,

  /** Milliseconds between two looks for envelopes that are too old. */
  forwardExpiryMs: 60_000,

  /**
   * Milliseconds that the clock may be ahead of what it ought to show while envelopes are dropped for their
   * age; beyond, none is for `clockDoubtMs`. Less than retention's: 14 days would be the whole age. More than
   * its hour between two notes of the clock.
   */
  forwardClockJumpMs: 7_200_000,

  /** Envelopes dropped for their age in one transaction. */
  forwardExpirySlice: 500,

  /** Milliseconds between two writes of what is known of an upstream, at least. */
  forwardStateMs: 1_000,

  /** Milliseconds that an envelope waits before `culvert doctor` calls its upstream a problem. */
  forwardStuckMs: dayMs,

  /** Dead letters of one upstream that the screen shows, the newest. */
  undeliveredShown: 50,
} as const
