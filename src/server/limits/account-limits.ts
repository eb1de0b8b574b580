import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/** Limits of accounts: passwords, sign-in, links, sessions, tokens. */
export const accountLimits = {
  /** Minimum length of a password. NIST SP 800-63B: 8, or 15 if it is the only factor. */
  passwordMinCharacters: 10,

  /** Maximum length of a password, so that hashing stays cheap. NIST: at least 64. */
  passwordCharacters: 256,

  /** Characters used to estimate a new password's strength: at most 57 ms (measured). */
  passwordEstimateCharacters: 64,

  /** Failed sign-ins to one account from one client network before a delay applies. */
  signInFreeFailures: 5,

  /** Failed sign-ins from one client network before a delay applies. Offices share a network. */
  signInFreeFailuresPerAddress: 30,

  /** Failed sign-ins to an account from all networks before a delay. NIST SP 800-63B: at most 100. */
  signInFreeFailuresPerAccount: 100,

  /** Maximum delay of the next sign-in. */
  signInWaitMs: 60_000,

  /** Failures of an account from one network expire this long after the last one. */
  signInMemoryMs: 15 * minuteMs,

  /** Failures of a network expire this long after the last one. */
  signInNetworkMemoryMs: 5 * minuteMs,

  /** Failures of an account from all networks expire this long after the last one. */
  signInAccountMemoryMs: dayMs,

  /** Rows of counted failures, about 200 bytes each with their index. */
  signInNames: 10_000,

  /**
   * Concurrent sign-ins: 50 a second on two cores. Each uses 19 MiB and 45 ms of CPU, and must finish within
   * `pageTimeLimit`.
   */
  signInsAtOnce: 6,

  /** Wrong codes before a second factor is locked. */
  secondFactorFailures: 10,

  /** Milliseconds that a second factor stays locked. */
  secondFactorLockMs: 15 * minuteMs,

  /**
   * Maximum length of an `otpauth:` URI: the longest email address, encoded twice, and the secret. A QR code
   * holds 2,331 bytes.
   */
  totpUriBytes: 1_500,

  /** Maximum lifetime of a session and its cookie, even if it is in constant use. */
  sessionMs: 90 * dayMs,

  /** Time after which an unused session ends. */
  sessionIdleMs: 30 * dayMs,

  /** Minimum interval between two writes of a session's last use. */
  sessionUseNotedMs: dayMs,

  /** Lifetime of the cookie that identifies a known browser. Browsers cap cookies at 400 days. */
  knownBrowserMs: 400 * dayMs,

  /** Timeout of the identity provider's discovery document. */
  providerWaitMs: 5_000,

  /** Length of an organization's slug. Sentry: 50. */
  organizationSlugCharacters: 50,

  /** Lifetime of an invitation. */
  inviteMs: 7 * dayMs,

  /** Lifetime of a password reset link. */
  passwordLinkMs: dayMs,

  /** Lifetime of a password reset link that was sent by mail. */
  mailedPasswordLinkMs: 4 * hourMs,

  /** Minimum interval between two mails with a link to one account; it doubles with each one of a day. */
  passwordMailMs: 5 * minuteMs,

  /** Maximum of that interval. */
  passwordMailMaxMs: hourMs,

  /** Requests for a mailed link to one address from one client network before a delay applies. */
  linkFreeRequests: 3,

  /** Requests for mailed links from one client network before a delay applies. */
  linkFreeRequestsPerNetwork: 15,

  /** Waits before the retries of a mailed link that the mail server does not accept for now. */
  passwordMailRetriesMs: [10_000, minuteMs, 5 * minuteMs, 15 * minuteMs],

  /** Time between the answer to a request and the work on it. Longer than the answer takes. */
  passwordMailDelayMs: 1_000,

  /** Time for which an ending server works on requests for mailed links. */
  passwordMailStopMs: 2_000,

  /** Requests for mailed links that wait. Further ones are dropped. 300 bytes each. */
  waitingPasswordMails: 1_000,

  /** Cache lifetime of a signed-in user. Without the cache a request takes 0.9 ms longer (measured). */
  cachedViewerMs: 10_000,

  /**
   * Interval of checks for writes by other connections, which clear the cache of signed-in users. Every
   * ingest commit is such a write, so a check per request would disable the cache under load.
   */
  viewersCheckMs: 1_000,

  /** Cached signed-in users, about 1 kB each. */
  cachedViewers: 1_000,

  /** Body bytes of an API request: twenty commits of sentry-cli with their changed files. */
  apiBodyBytes: 4 * 1024 * 1024,

  /** API requests per token. Sentry allows 40 a second; sentry-cli sends a handful. */
  apiRateLimit: { quantity: 1_200, windowSeconds: 60 },

  /** Rows per page of the API. Sentry: 100. */
  apiPageRows: 100,

  /** Issues per page of the API, and issues counted by one series. Grafana's data source reads one page. */
  apiPageIssues: 1_000,

  /** Payloads of events of several issues that are read at once: each may inflate a block of 1 MiB. */
  payloadsAtOnce: 10,

  /** Steps of a series. 90 days by hour are 2,160. */
  apiSeriesSteps: 3_000,

  /** Transactions, or groups of spans, that a series is computed from: those with the most time. */
  apiSeriesNames: 1_000,

  /** Lines of a series of events, the largest ones, as in Sentry. */
  apiTopSeries: 10,

  /** Keys of tags that the API lists. */
  apiTagKeys: 1_000,

  /** Issues that one API request may change. */
  apiIssuesPerCall: 100,

  /** Commits stored per release. sentry-cli sends 20 by default. */
  commitsPerRelease: 100,

  /**
   * Paths stored per commit and per release, and the length of one: 100 commits of 20 paths. The page of an
   * issue reads all of them.
   */
  filesPerCommit: 500,
  filesPerRelease: 2_000,
  filePathCharacters: 500,

  /**
   * Characters of a project's ownership rules, and of its CODEOWNERS. The settings of a project are cached in
   * memory.
   */
  ownershipCharacters: 64_000,

  /** Commits shown as the likely cause of an issue. */
  suspectCommits: 3,
  suspectSubjectCharacters: 200,

  /** Issues that a commit message resolves, and all of a release together. Further ones are ignored. */
  fixedIssuesPerCommit: 50,
  fixedIssuesPerRelease: 200,

  /** Minimum interval between two writes of a token's last use. */
  tokenUseNotedMs: 60_000,

  /** Tokens per user. */
  tokensPerUser: 50,

  /** Time for which a link to create the owner account works after another process has printed one. */
  setupTokenMs: hourMs,

  /** Unused links to create the owner account. */
  setupTokens: 50,
} as const
