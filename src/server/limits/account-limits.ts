import { dayMs, minuteMs } from '#time/time-steps.ts'

/** Of accounts: passwords, sign-in, links, sessions. */
export const accountLimits = {
  /** Characters of a password, at least. NIST SP 800-63B asks for 8, and 15 where it is the only factor. */
  passwordMinCharacters: 10,

  /**
   * Characters of a password, at most: hashing a megabyte would be work for nothing. NIST asks for at
   * least 64.
   */
  passwordCharacters: 256,

  /**
   * Characters of a new password by which its strength is estimated: 57 ms for the worst of them (measured).
   */
  passwordEstimateCharacters: 64,

  /** Failed sign-ins to one account from one client network before the next one has to wait. */
  signInFreeFailures: 5,

  /** Failed sign-ins from one client network before the next one has to wait: an office may share one. */
  signInFreeFailuresPerAddress: 30,

  /**
   * Failed sign-ins to one account from anywhere before the next one has to wait. NIST SP 800-63B asks for
   * 100 at most.
   */
  signInFreeFailuresPerAccount: 100,

  /** Milliseconds that the next sign-in has to wait, at most. */
  signInWaitMs: 60_000,

  /**
   * Milliseconds after the last failed sign-in to an account from a network until those failures are
   * forgotten.
   */
  signInMemoryMs: 15 * minuteMs,

  /** Milliseconds after the last failed sign-in from a network until its failures are forgotten. */
  signInNetworkMemoryMs: 5 * minuteMs,

  /**
   * Milliseconds after the last failed sign-in until the failures of an account, from anywhere, are
   * forgotten.
   */
  signInAccountMemoryMs: dayMs,

  /** Rows of counted failures. About 200 bytes each with their index. */
  signInNames: 10_000,

  /**
   * Sign-ins that are answered at the same time: fifty a second on two cores. Each takes 19 MiB and about 45
   * ms of a core, and a page, which has `pageTimeLimit` also on a machine that is busy with something else.
   */
  signInsAtOnce: 6,

  /** Wrong codes of a second factor before it is locked. */
  secondFactorFailures: 10,

  /** Milliseconds that a second factor stays locked. */
  secondFactorLockMs: 15 * minuteMs,

  /**
   * Bytes of an `otpauth:` address: the longest e-mail address twice encoded, and the secret. A QR code holds
   * 2,331.
   */
  totpUriBytes: 1_500,

  /** Milliseconds from the sign-in to the end of a session that is used all the time. */
  sessionMs: 90 * dayMs,

  /**
   * Milliseconds that a browser counts as known after a sign-in; browsers keep no cookie longer than 400
   * days.
   */
  knownBrowserMs: 400 * dayMs,

  /** Milliseconds to wait for the identity provider's discovery document. */
  providerWaitMs: 5_000,

  /** Characters of an organization's slug. Sentry's own. */
  organizationSlugCharacters: 50,

  /** Milliseconds that an invitation stays open. */
  inviteMs: 7 * dayMs,

  /** Milliseconds that a link for a new password stays open. */
  passwordLinkMs: dayMs,

  /**
   * Milliseconds that a signed-in user is remembered between requests: asking the library takes 0.9 ms
   * (measured).
   */
  rememberedViewerMs: 10_000,

  /**
   * Milliseconds after which it is looked again whether others have written to the store, and nobody is
   * remembered if so. Every commit of ingest is such a write: under load a look with each request would
   * remember nobody at all.
   */
  viewersCheckMs: 1_000,

  /** Signed-in users remembered at the same time. About 1 kB each. */
  rememberedViewers: 1_000,

  /**
   * Body bytes of a call of the API: twenty commits with the files they changed, as sentry-cli sends them.
   */
  apiBodyBytes: 4 * 1024 * 1024,

  /** Requests of one token to the API. Sentry allows 40 a second; sentry-cli makes a handful. */
  apiRateLimit: { quantity: 1_200, windowSeconds: 60 },

  /** Rows on one page of the API; Sentry's own. */
  apiPageRows: 100,

  /** Issues that one call of the API may change. */
  apiIssuesPerCall: 100,

  /** Commits kept of one release. sentry-cli sends 20 unless it is told otherwise. */
  commitsPerRelease: 100,

  /** Milliseconds between two notes of when a token was used. */
  tokenUseNotedMs: 60_000,

  /** Tokens of one user. */
  tokensPerUser: 50,
} as const
