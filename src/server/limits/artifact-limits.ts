import { dayMs, hourMs } from '#time/time-steps.ts'

/** Limits of source maps and artifact bundles. */
export const artifactLimits = {
  /** Bytes of one uploaded chunk. Sentry uses 8 MiB; a chunk of 2 MiB does not delay ingest. */
  chunkBytes: 2 * 1024 * 1024,

  /** Chunks in one request. */
  chunksPerRequest: 1,

  /** Body bytes of a chunk upload: the chunk and a few hundred bytes of multipart framing. */
  chunkRequestBytes: 2 * 1024 * 1024 + 65_536,

  /** Concurrent requests advertised to upload tools. */
  chunkConcurrency: 2,

  /** Received chunks that wait while another one is stored. Further ones get 429. */
  waitingUploads: 32,

  /** Chunks in one query: more than the largest bundle has. */
  chunksPerBundle: 1_000,

  /** Bytes of unassembled chunks per organization. */
  waitingChunkBytes: 1024 * 1024 * 1024,

  /** Lifetime of unassembled chunks. An interrupted upload can resume for a day. */
  chunkMaxAgeMs: dayMs,

  /** Compressed bytes of one bundle. */
  artifactBundleBytes: 256 * 1024 * 1024,

  /** Age at which `culvert doctor` reports an upload that is not stored completely. */
  brokenUploadMs: hourMs,

  /** Time that a request waits for its bundle to be unpacked before the client must poll again. */
  assembleAwaitMs: 20_000,

  /** Time that the result of unpacking is kept for polling clients. */
  assembleResultMs: 300_000,

  /** Files in one bundle. */
  artifactBundleFiles: 10_000,

  /** Bytes of a bundle's manifest. */
  artifactManifestBytes: 16 * 1024 * 1024,

  /** Unpacked bytes of one file of a bundle. One file is in memory at a time. */
  artifactFileBytes: 64 * 1024 * 1024,

  /** Unpacked bytes of all files of a bundle. Maps compress to a fifth; a higher ratio is a zip bomb. */
  artifactBundleUnpackedBytes: 2 * 1024 * 1024 * 1024,

  /** Length of a file's name in a bundle. */
  artifactUrlCharacters: 1_024,

  /** Stored bytes of a project's source maps. Beyond it the oldest uploads are deleted. */
  artifactBytesPerProject: 1024 * 1024 * 1024,

  /** Indexed files of a project; a debug id takes 100 bytes. Beyond it the oldest uploads are deleted. */
  artifactFilesPerProject: 20_000,

  /** Days that source maps are kept after their last use. */
  artifactUnusedDays: 90,

  /** Minimum interval between two writes of a bundle's last use. */
  artifactUseNotedMs: dayMs,

  /** Latest commits on the page of a release. */
  releaseCommitsShown: 20,

  /** Newest uploads on the page of a release. */
  releaseUploadsShown: 10,

  /** Newest bundles on a page, and the first files of each. */
  artifactBundlesShown: 50,
  artifactFilesShown: 200,

  /** Maximum age of the index of files, which other processes also write. */
  artifactIndexMaxAgeMs: 60_000,

  /** Age of the index from which an event without a match reads it again, and the longest wait for it. */
  artifactIndexRefreshMs: 1_000,

  /** Debug ids read per event. */
  debugImages: 1_000,

  /** Columns up to which code without a debug id counts as not minified. */
  plainCodeColumns: 300,

  /** Line length of code that is not minified. SDKs cut longer lines at 140 characters or more. */
  plainLineCharacters: 120,

  /** Segments of one map, 100 bytes of memory each. A map of 2.8 MB has 150,000 (measured). */
  sourceMapSegments: 3_000_000,

  /** Sections of an index map, and their nesting depth. */
  sourceMapSections: 10_000,
  sourceMapDepth: 8,

  /** Approximate bytes of parsed maps in memory. The map in use stays, regardless of its size. */
  sourceMapCacheBytes: 96 * 1024 * 1024,

  /** Maximum share of memory for parsed maps and for the source map thread. */
  mapCacheMemoryShare: 1 / 16,
  mapThreadMemoryShare: 1 / 4,

  /** Heap of the source map thread. A map that exceeds it ends only this thread. */
  sourceMapThreadBytes: 768 * 1024 * 1024,

  /** Idle time after which the source map thread ends and frees its memory. */
  sourceMapThreadIdleMs: 60_000,

  /**
   * Time that an event waits for its maps before it is grouped unmapped. A map of 2.8 MB parses in 50 ms, and
   * the thread starts in 500 ms (measured).
   */
  sourceMapIngestMs: 2_000,

  /** Time that a page, limited to 3,800 ms, waits for source maps. */
  sourceMapShowMs: 2_000,

  /** Concurrent requests to the source map thread. Further events are grouped without source maps. */
  sourceMapQuestions: 200,

  /** Cached source locations, about 1 kB each. A flood of one error looks its location up once. */
  mappedLocations: 5_000,

  /** Source lines before and after a frame's line, as in SDKs. */
  mappedContextLines: 5,
} as const
