import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/** Of what is kept: transactions, counters, samples, attachments, retention. */
export const storeLimits = {
  /**
   * Events in one transaction. Bounds how long the event loop is held: 500 events took 56 ms on a busy
   * machine (measured).
   */
  eventsPerCommit: 500,

  /** Rows of each kind that batches remember; all are forgotten when there are more. About 10 MB. */
  rememberedStoreRows: 20_000,

  /** Payload bytes in one transaction. Bounds its memory, and its time when events are large. */
  commitPayloadBytes: 16 * 1024 * 1024,

  /**
   * Milliseconds a request waits while another process writes to the database; beyond, it is told to come
   * later. As long as an SDK may wait for a proxy, and far longer than any write of Culvert's own takes.
   */
  storeBusyMs: 10_000,

  /**
   * Milliseconds between two looks at the free space of the disk; one takes 6 µs (measured). A small disk's
   * floor is 3 MB, and a busy server writes 70 MB of log a second.
   */
  freeSpaceCheckMs: 20,

  /**
   * Bytes of the disk below which nothing more is taken in: room for a whole write-ahead log (64 MiB), its
   * checkpoint and what people do in the console, with as much again for other programs' logs.
   */
  freeSpaceFloorBytes: 256 * 1024 * 1024,

  /** The same as a share of the disk, whichever is less: a small disk keeps most of itself usable. */
  freeSpaceFloorShare: 0.05,

  /**
   * Times the floor that must be free again until something is taken in: writing the log back alone frees a
   * little, over and over.
   */
  freeSpaceResumeFactor: 1.25,

  /**
   * Bytes of a database that is looked through for damage at every start: 27 MB take 0.05 s of CPU
   * (measured).
   */
  startCheckBytes: 64 * 1024 * 1024,

  /**
   * Milliseconds between two attempts to become the server whose address stands in DSNs, once the first one
   * has ended.
   */
  leadAttemptMs: 2_000,

  /** Milliseconds between two attempts to mend the log after a failed write, or to give its space back. */
  storeMendMs: 1_000,

  /**
   * Longest time in milliseconds for which works are collected while a transaction runs. Usual ones take 2 to
   * 8 (measured).
   */
  commitCollectedMs: 100,

  /**
   * Longest time in milliseconds for which deferred work waits for other work, so that both share a
   * transaction.
   */
  commitDeferMs: 5,

  /**
   * Payload bytes in one body block. Showing one event inflates its whole block: 1 MiB takes 1 to 3 ms
   * (measured).
   */
  bodyBlockBytes: 1024 * 1024,

  /** Distinct values counted per issue and tag key; further ones are counted together as `(other)`. */
  tagValuesPerIssueKey: 1_000,

  /**
   * Events a second that are added to their issues' hours, tags and users in their own transaction. Beyond,
   * and in the second after, a batch leaves them as a delta: counting them took half of its time (measured).
   */
  countersAtOncePerSecond: 100,

  /** Milliseconds after which events left as a delta are counted at the latest. */
  counterFoldDelayMs: 1_000,

  /**
   * Slices that issues are divided into when they are counted from deltas: one slice in each of so many parts
   * of `counterFoldDelayMs`. A batch that comes meanwhile waits for one of them, not for all.
   */
  counterFoldSlices: 8,

  /** Deltas of one slice that a transaction counts. */
  counterFoldDeltas: 500,

  /**
   * Tag keys counted per event; the rest stays in the payload only. Sentry's SDKs send about ten, we promote
   * about twenty.
   */
  indexedTagsPerEvent: 60,

  /**
   * Distinct users of an issue that are counted exactly; beyond, the count is an estimate within about 3 %.
   */
  usersPerIssueExact: 1_024,

  /**
   * Sessions of a project that are known by themselves, the ones begun last: 20 MB. What comes later for an
   * older one is not counted, unless it says that it is the first.
   */
  countedSessionsPerProject: 500_000,

  /** Releases on one page of their list: each counts its issues by index. */
  releasesShown: 50,

  /** New and regressed issues that the page of a release lists, each. */
  issuesPerRelease: 100,

  /** Dropped items kept as samples per project, filter reason and UTC day: the newest. */
  filterSamplesPerDay: 5,

  /**
   * Payload bytes of one kept sample; of a larger one only the title stays. Errors of SDKs have 2 to 14 kB
   * (measured).
   */
  filterSampleBytes: 16_384,

  /** Days that samples stay: the longest period of the screen which shows them. */
  filterSampleDays: 30,

  /** Dead letters listed at once, the newest. A bug makes many of one kind; the command line has them all. */
  deadLettersShown: 100,

  /** Samples shown per filter reason, newest first. */
  filterSamplesShown: 3,

  /** Characters shown of one sample's payload. */
  filterSampleCharacters: 4_000,

  /**
   * Bytes of one attachment. Sentry allows 200 MiB; here the transaction that writes it holds the event loop
   * meanwhile.
   */
  attachmentBytes: 5 * 1024 * 1024,

  /** Bytes of all attachments of one event. */
  attachmentBytesPerEvent: 10 * 1024 * 1024,

  /** Attachments of one event. */
  attachmentsPerEvent: 20,

  /**
   * Bytes, as stored, of all attachments of a project: the part of a disk that strangers with a DSN may fill.
   */
  attachmentBytesPerProject: 1_000_000_000,

  /** Parts of a form with attachments. */
  formParts: 100,

  /**
   * Bytes of the header lines of one part of such a form; browsers write 200. Many short lines take seconds
   * to read (measured).
   */
  formPartHeaderBytes: 8_192,

  /** Length of an attachment's name. Common file systems take 255 bytes. */
  attachmentNameCharacters: 255,

  /** Feedbacks shown with the event they are about, newest first. */
  feedbackPerEvent: 20,

  /** Distinct environments remembered per project: they fill a menu. */
  environmentsPerProject: 200,

  /** Matches shown for one digest. Twelve hex digits name one event in practice. */
  digestMatches: 20,

  /** Values shown per tag key of an issue. */
  tagValuesShown: 5,

  /** Days that events are kept, unless a project says otherwise: what Sentry's paid plans keep. */
  retentionDays: 90,

  /** Days that a project may ask for at most: ten years, so that instants stay safe integers. */
  retentionMaxDays: 3_650,

  /** Events kept per project, unless it says otherwise: 1.0 to 1.3 GB of 6 kB each (measured). */
  retentionEvents: 1_000_000,

  /**
   * Bytes that the database uses at most, unless the operator says otherwise: 8 to 10 projects at their
   * limit.
   */
  retentionBytes: 10_000_000_000,

  /**
   * Share of what the database may use that one upstream's outbox takes at most, and all attachments of one
   * project: what comes between two looks of retention.
   */
  boundedShare: 0.1,

  /** Times that retention decides anew who gives up space, where deleting freed less than was foreseen. */
  spaceRounds: 8,

  /**
   * Bytes that an operator may set as the limit at least: room for an empty database, and for a day of a
   * small team.
   */
  smallestMaxBytes: 100_000_000,

  /** Share of the disk that the database uses at most. */
  retentionDiskShare: 0.8,

  /** Bytes that the database may use though the disk is nearly full: something else has filled it. */
  retentionFloorBytes: 1_000_000_000,

  /**
   * Share of the file that stays free for what comes next, and that is deleted below a limit once it is
   * reached.
   */
  retentionFreeShare: 0.05,

  /** Milliseconds of one transaction that deletes, aimed at: ingest may be held up for 50. */
  retentionSliceMs: 12,

  /** Milliseconds between two runs. A run that finds nothing to delete reads some index pages. */
  retentionIntervalMs: hourMs,

  /**
   * Milliseconds between two looks at the size of the database, which can call for a run at once. A flood
   * brings 50 MB a second.
   */
  retentionTickMs: 10_000,

  /** Milliseconds from start to the first look: starting is busy enough. */
  retentionStartDelayMs: 60_000,

  /**
   * Milliseconds that a process which vanished keeps the right to do work alone; a living one renews it three
   * times as often.
   */
  leaseMs: 30_000,

  /**
   * Milliseconds that the clock may jump ahead and be believed: a server that was switched off over the
   * holidays.
   */
  clockJumpMs: 14 * dayMs,

  /** Milliseconds after which a clock that jumped further ahead, and stayed there, is believed. */
  clockDoubtMs: dayMs,

  /** Bytes of a block below which retention joins it with others that it leaves behind. */
  looseBlockBytes: 256 * 1024,

  /**
   * Bytes that an event takes beside its payload, about, for foreseeing what deleting frees: rows and index
   * entries (measured).
   */
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

  /**
   * Milliseconds from a change of projects, keys or accounts to the write of their copy: changes that come
   * together are one.
   */
  settingsCopyDelayMs: 100,

  /** Milliseconds until the copy is tried again after it could not be written. */
  settingsCopyRetryMs: 60_000,

  /**
   * Milliseconds for which rows of a deleted project are looked for: what was being taken in when it was
   * deleted.
   */
  deletedProjectMs: 10 * minuteMs,
} as const
