import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/** Limits of the store: transactions, counters, samples, attachments, retention. */
export const storeLimits = {
  /**
   * Events per transaction. Bounds how long the event loop blocks: 56 ms for 500 on a busy machine
   * (measured).
   */
  eventsPerCommit: 500,

  /** Cached rows of each kind, about 10 MB. The cache is cleared when it is full. */
  cachedStoreRows: 20_000,

  /**
   * Statements that a connection to PostgreSQL for reads prepares under names, about 70 kB each in the server
   * (measured), and the uses of a text until it is one of them.
   */
  namedReads: 200,
  namedReadUses: 5,

  /**
   * Time after which other statements can get names, and the lifetime of a connection for reads, which keeps
   * its names.
   */
  namedReadsMs: hourMs,

  /** Payload bytes per transaction. Bounds its memory, and its time for large events. */
  commitPayloadBytes: 16 * 1024 * 1024,

  /**
   * Bytes of the segments of an OTLP request per transaction: errors that arrive meanwhile wait 0.2 to 0.6 s
   * (measured). More than the spans of an envelope, which is committed as a whole.
   */
  commitPartBytes: 4 * 1024 * 1024,

  /**
   * Time for which a request waits while another process writes, before the client must retry later: as long
   * as an SDK waits for a proxy, and far longer than any write of Culvert.
   */
  storeBusyMs: 10_000,

  /**
   * Time after which an unanswered PostgreSQL statement fails: three times the longest wait for a lock.
   * Migrations, copies and the sizes of tables have their own connections.
   */
  postgresAnswerMs: 30_000,

  /**
   * The same for a read of the console or the API. The reads of one page share a connection and run one after
   * another, so each waits for those before it: four slow ones. A server that does not answer at all is
   * noticed by probes.
   */
  postgresReadMs: 120_000,

  /**
   * Time without an answer after which a process checks on a new connection whether PostgreSQL answers at
   * all. Most statements are faster.
   */
  postgresProbeAfterMs: 500,

  /**
   * Timeout of that check, after which the database counts as unavailable and requests fail immediately. So a
   * thread is blocked for at most 2.5 s.
   */
  postgresProbeMs: 2_000,

  /** Interval of further checks until one is answered. */
  postgresProbeEveryMs: 1_000,

  /**
   * Interval of checks of free disk space, 6 µs each (measured). A small disk's floor is 3 MB, and a busy
   * server writes 70 MB of log a second.
   */
  freeSpaceCheckMs: 20,

  /**
   * Free disk space below which ingest stops: a whole write-ahead log (160 MiB), its checkpoint and writes of
   * the console, and as much again for logs of other programs.
   */
  freeSpaceFloorBytes: 256 * 1024 * 1024,

  /** The same as a share of the disk; the smaller applies, so that a small disk stays usable. */
  freeSpaceFloorShare: 0.05,

  /** Multiple of the floor at which ingest resumes. A checkpoint alone repeatedly frees a little. */
  freeSpaceResumeFactor: 1.25,

  /** Size up to which a database is checked for damage at every start: 27 MB take 0.05 s (measured). */
  startCheckBytes: 64 * 1024 * 1024,

  /** Interval of attempts to become the server whose address is in DSNs, after its predecessor has ended. */
  leadAttemptMs: 2_000,

  /** Interval of attempts to repair the log after a failed write, or to free its space. */
  storeMendMs: 1_000,

  /** Time after which an idle checkpoint thread ends, which takes 10 MB of memory (measured). */
  checkpointThreadIdleMs: 10_000,

  /** Maximum time of collecting entries while a transaction runs: 2 to 8 ms are usual (measured). */
  commitCollectedMs: 100,

  /** Maximum time for which a deferred entry waits for others to share a transaction. */
  commitDeferMs: 5,

  /** Payload bytes per body block. An event inflates the whole block: 1 to 3 ms for 1 MiB (measured). */
  bodyBlockBytes: 1024 * 1024,

  /** Distinct values counted per issue and tag key. Further ones count as `(other)`. */
  tagValuesPerIssueKey: 1_000,

  /**
   * Tag keys counted per issue, other than those of `promotedTagKeys`. Further ones stay in their events. An
   * event with 59 new keys took 66 kB, and takes 5 kB (measured).
   */
  tagKeysPerIssue: 200,

  /**
   * Events per second counted in their own transaction by hour, tag and user. Beyond it, and in the following
   * second, a batch writes a delta: counting took half of its time (measured).
   */
  countersAtOncePerSecond: 100,

  /** Maximum time before deltas are counted. */
  counterFoldDelayMs: 1_000,

  /** Delay of counts above which a page reports it: twice `counterFoldDelayMs`. */
  countsLateMs: 2_000,

  /** Late deltas scanned to find the oldest one, 0.2 ms (measured); a second of load leaves up to 800. */
  lateDeltasRead: 1_000,

  /** Interval of checks for late deltas, which a killed process left to the others on its database. */
  lateDeltasCheckMs: 5_000,

  /**
   * Slices of issues for counting deltas, spread over `counterFoldDelayMs`. A batch waits for one slice, not
   * for all: the slowest of a hundred took 151 ms with 8, and 67 ms with 32, which write a sixth more
   * (measured, 5,000 issues).
   */
  counterFoldSlices: 16,

  /** Deltas counted per slice and transaction. */
  counterFoldDeltas: 500,

  /**
   * Events after which a transaction reads no further delta of a slice. What it has no time to count is
   * written back, so without this limit a long backlog would be read and written with each transaction.
   */
  counterFoldEvents: 2_000,

  /**
   * Time that a fold adds to a transaction on SQLite, or the duration of its batch if that is longer; no
   * limit when the server stops. The rest of a slice is folded with the next transaction.
   */
  counterFoldMs: 4,

  /** Factor of that time for a fold whose deltas are late, so that they are counted before new events. */
  counterFoldLateFactor: 4,

  /** Rows that a fold changes before it reads the clock: 2 ms (measured). */
  counterFoldRows: 200,

  /** Indexed tag keys per event; the payload keeps the rest. SDKs send ten, and the server adds twenty. */
  indexedTagsPerEvent: 60,

  /** Distinct users per issue counted exactly; beyond it the count is an estimate within about 3 %. */
  usersPerIssueExact: 1_024,

  /**
   * Latest sessions stored individually per project: 20 MB. Updates of older ones are not counted, except
   * initial ones.
   */
  countedSessionsPerProject: 500_000,

  /** Maximum delay of a replica for reads. Beyond it the primary answers. */
  replicaLagMs: 10_000,

  /** Interval of checks whether a replica answers, and of its lag. Two statements each. */
  replicaCheckMs: 1_000,

  /** Time after which the primary answers instead of a replica: both must answer a page in its 3.8 s. */
  replicaAnswerMs: 2_000,

  /** Releases per page. Each counts its issues by index. */
  releasesShown: 50,

  /** New and regressed issues on the page of a release. */
  issuesPerRelease: 100,

  /** Newest samples of dropped items per project, filter reason and UTC day. */
  filterSamplesPerDay: 5,

  /** Payload bytes of a stored sample; larger: only its title. SDK errors have 2 to 14 kB (measured). */
  filterSampleBytes: 16_384,

  /** Retention of samples in days: the longest period of their screen. */
  filterSampleDays: 30,

  /** Newest dead letters per page. The command line lists all. */
  deadLettersShown: 100,

  /** Newest samples shown per filter reason. */
  filterSamplesShown: 3,

  /** Characters shown of a sample's payload. */
  filterSampleCharacters: 4_000,

  /** Bytes of one attachment, whose transaction blocks the event loop. Sentry: 200 MiB. */
  attachmentBytes: 5 * 1024 * 1024,

  /** Bytes of all attachments of an event. */
  attachmentBytesPerEvent: 10 * 1024 * 1024,

  /** Attachments per event. */
  attachmentsPerEvent: 20,

  /** Stored bytes of all attachments of a project: the disk space that anyone with the DSN can fill. */
  attachmentBytesPerProject: 1_000_000_000,

  /** Parts of a multipart form with attachments. */
  formParts: 100,

  /** Header bytes of such a part; browsers write 200. Many short lines take seconds to parse (measured). */
  formPartHeaderBytes: 8_192,

  /** Length of an attachment's name. Common file systems: 255 bytes. */
  attachmentNameCharacters: 255,

  /** Newest feedbacks shown with their event. */
  feedbackPerEvent: 20,

  /** Distinct environments per project, which fill a menu. */
  environmentsPerProject: 200,

  /**
   * Environments under which the events of an issue are counted, as many as values of a tag; further ones are
   * counted as `(other)`, except those in the list of the project. A counter for each would let events with a
   * new environment each fill the disk.
   */
  environmentsPerIssue: 1_000,

  /** Environments that events and transactions add to the list of a release, as many as to the filter. */
  environmentsPerRelease: 200,

  /**
   * New releases per project, day and process, created by events and transactions. A release with every
   * commit makes tens a day; without a limit, events with a new one each would fill the disk.
   */
  releasesPerDay: 1_000,

  /** Matches shown for a digest. Twelve hex digits identify one event in practice. */
  digestMatches: 20,

  /** Values shown per tag key of an issue. */
  tagValuesShown: 5,

  /** Default retention of events in days, as in Sentry's paid plans. */
  retentionDays: 90,

  /** Maximum retention in days: ten years, so that instants stay safe integers. */
  retentionMaxDays: 3_650,

  /** Default number of events kept per project: 1.0 to 1.3 GB at 6 kB each (measured). */
  retentionEvents: 1_000_000,

  /** Default maximum size of the database: 8 to 10 projects at their limit. */
  retentionBytes: 10_000_000_000,

  /**
   * Maximum share of the database's limit for one upstream's outbox, and for the attachments of one project,
   * which may grow by that much between two runs of retention.
   */
  boundedShare: 0.1,

  /** Rounds in which retention plans what to delete; more if deleting freed less than estimated. */
  spaceRounds: 8,

  /** Minimum limit that an operator can set: an empty database and a day of a small team. */
  smallestMaxBytes: 100_000_000,

  /** Maximum share of the disk for the database. */
  retentionDiskShare: 0.8,

  /** Bytes that the database may use even if other files have filled the disk. */
  retentionFloorBytes: 1_000_000_000,

  /** Share of the file kept free for new rows; retention deletes as much below a limit that was reached. */
  retentionFreeShare: 0.05,

  /** Target duration of a deleting transaction. Ingest tolerates a delay of 50 ms. */
  retentionSliceMs: 12,

  /** Interval of retention. A run with nothing to delete reads some index pages. */
  retentionIntervalMs: hourMs,

  /** Interval of checks of the database's size, which can start a run. A flood writes 50 MB a second. */
  retentionTickMs: 10_000,

  /** Time after an unexpected error in which only the size of the database starts a run. */
  retentionRetryMs: 10 * minuteMs,

  /** Delay of the first check after start. */
  retentionStartDelayMs: 60_000,

  /**
   * Time from the start of a request in which a serverless instance works, in the cron route or after an
   * answer. Vercel ends a function after 60 s (`vite.config.ts`).
   */
  serverlessWorkMs: 50_000,

  /** Time limit of retention in the cron route. The next call continues a longer run. */
  retentionCronMs: 25_000,

  /** Time for which a serverless instance waits after an answer until its own error reports are stored. */
  reportsAwaitMs: 2_000,

  /** Lifetime of the lease on exclusive work, which its process renews three times as often. */
  leaseMs: 30_000,

  /** Interval at which a server writes its heartbeat, with its load. */
  heartbeatMs: 5_000,

  /** Time after its last heartbeat for which a server still counts as one of those that share rate limits. */
  heartbeatLateMs: 15_000,

  /** Interval at which the log repeats a reason why PostgreSQL refuses connections. */
  refusalLogMs: 60_000,

  /** Time after which a server that crashed is no longer listed. */
  processForgottenMs: 10 * minuteMs,

  /** Maximum clock jump that is trusted: a server that was off for the holidays. */
  clockJumpMs: 14 * dayMs,

  /** Time after which a clock that jumped further, and stayed ahead, is trusted. */
  clockDoubtMs: dayMs,

  /** Size below which retention merges a remaining block with others. */
  looseBlockBytes: 256 * 1024,

  /** Approximate bytes of an event's rows and index entries, to estimate what deleting frees (measured). */
  eventRowBytes: 300,

  /** Bytes kept of a deleted event's id: the 12 hex digits of a digest. */
  expiredDigestBytes: 6,

  /** Latest deleted events per project that a lookup finds: 6 MB. */
  expiredDigestsPerProject: 1_000_000,

  /** Days for which a lookup finds a deleted event. */
  expiredDigestDays: 90,

  /** Newest dead letters kept per project. */
  deadLettersPerProject: 1_000,

  /** Bytes of dead letters kept per project. */
  deadLetterBytesPerProject: 100_000_000,

  /** Delay from a change of projects, keys or accounts to the write of their copy, which batches changes. */
  settingsCopyDelayMs: 100,

  /** Delay of the retry after the copy could not be written. */
  settingsCopyRetryMs: 60_000,

  /** Unreadable rows of which a process remembers that it has logged them. */
  unreadableRowsNoted: 1_000,

  /** Projects of which a process remembers when it has logged an error about them. */
  loggedProjects: 1_000,

  /** Time for which rows of a deleted project are searched again: ingest may have been in progress. */
  deletedProjectMs: 10 * minuteMs,
} as const
