import { dayMs } from '#time/time-steps.ts'

/** Of source maps and the bundles they come in. */
export const artifactLimits = {
  /**
   * Bytes of one part of an upload. Sentry's have 8 MiB: these are written without holding up events, and
   * over a line of 1 Mbit/s each is here within `requestTimeoutMs`.
   */
  chunkBytes: 2 * 1024 * 1024,

  /** Parts in one request. */
  chunksPerRequest: 1,

  /** Bytes of a request that uploads a part: what is around it takes some hundred. */
  chunkRequestBytes: 2 * 1024 * 1024 + 65_536,

  /** Requests that a tool sends at a time. */
  chunkConcurrency: 2,

  /**
   * Uploads that wait while another one is read; each takes up to three times its bytes. Further ones
   * get 429.
   */
  waitingUploads: 32,

  /** Parts of one bundle that are asked about at once: more than the largest bundle has. */
  chunksPerBundle: 1_000,

  /** Bytes of parts that wait to be assembled, of an organization. */
  waitingChunkBytes: 1024 * 1024 * 1024,

  /**
   * Milliseconds that parts wait to be assembled: an upload that breaks off goes on within a day, or begins
   * anew.
   */
  chunkMaxAgeMs: dayMs,

  /** Bytes of one bundle as it comes, compressed. */
  artifactBundleBytes: 256 * 1024 * 1024,

  /** Milliseconds that a request waits for its bundle to be unpacked; then it is told to ask again. */
  assembleAwaitMs: 20_000,

  /** Milliseconds that the end of unpacking is remembered for those who ask again. */
  assembleRememberedMs: 300_000,

  /** Files in one bundle. */
  artifactBundleFiles: 10_000,

  /** Bytes of the list of files in a bundle. */
  artifactManifestBytes: 16 * 1024 * 1024,

  /** Bytes of one file of a bundle, unpacked: one is in memory at a time. */
  artifactFileBytes: 64 * 1024 * 1024,

  /** Bytes of all files of a bundle, unpacked. Maps shrink to a fifth; more is a trap. */
  artifactBundleUnpackedBytes: 2 * 1024 * 1024 * 1024,

  /** Length of a file's name in a bundle. */
  artifactUrlCharacters: 1_024,

  /** Bytes of a project's source maps as they are stored; beyond, those uploaded first go. */
  artifactBytesPerProject: 1024 * 1024 * 1024,

  /**
   * Files of a project that are known; their debug ids are held in memory, 100 bytes each. Beyond, those
   * uploaded first go.
   */
  artifactFilesPerProject: 20_000,

  /** Days that source maps stay after something was mapped with them. */
  artifactUnusedDays: 90,

  /** Milliseconds between two notes that a bundle is in use. */
  artifactUseNotedMs: dayMs,

  /** Commits that the page of a release lists, the latest. */
  releaseCommitsShown: 20,

  /** Uploads that the page of a release lists, the newest. */
  releaseUploadsShown: 10,

  /** Bundles that a page lists, and files of each, the newest or first. */
  artifactBundlesShown: 50,
  artifactFilesShown: 200,

  /** Milliseconds after which files uploaded through another process are known. */
  artifactIndexMaxAgeMs: 60_000,

  /** Debug ids that are read of one event. */
  debugImages: 1_000,

  /** Columns up to which code without a debug id passes for written by people, who break lines before. */
  plainCodeColumns: 300,

  /**
   * Length of the lines that people write. SDKs cut longer ones of minified code at 140 characters and more.
   */
  plainLineCharacters: 120,

  /**
   * Segments of one map, a place of the code each; 100 bytes in memory. A map of 2.8 MB has 150,000
   * (measured).
   */
  sourceMapSegments: 3_000_000,

  /** Sections of a map of maps, and how deep they stand in each other. */
  sourceMapSections: 10_000,
  sourceMapDepth: 8,

  /** Bytes of read maps that stay in memory, about. The one in use stays, whatever its size. */
  sourceMapCacheBytes: 96 * 1024 * 1024,

  /** Shares of the memory that read maps and the thread that reads them take at most. */
  mapCacheMemoryShare: 1 / 16,
  mapThreadMemoryShare: 1 / 4,

  /**
   * Bytes of memory of the thread that reads maps: a map that takes more ends the thread, and nothing else.
   */
  sourceMapThreadBytes: 768 * 1024 * 1024,

  /** Milliseconds without a question after which that thread ends, and gives its memory back. */
  sourceMapThreadIdleMs: 60_000,

  /**
   * Milliseconds that an event waits for its maps before it is grouped as it came. A map of 2.8 MB is read in
   * 50, and the thread that does it starts in half a second (measured).
   */
  sourceMapIngestMs: 2_000,

  /** Milliseconds that a page waits for them: it has 3,800 for everything. */
  sourceMapShowMs: 2_000,

  /** Questions to that thread at a time; a further event is grouped as it came. */
  sourceMapQuestions: 200,

  /** Places whose source is remembered, about 1 kB each: a flood of one error asks once. */
  mappedLocations: 5_000,

  /** Lines of source shown before and after a frame's own: what SDKs send. */
  mappedContextLines: 5,
} as const
