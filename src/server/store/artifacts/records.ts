/** An upload of source maps. */
export interface ArtifactUpload {
  /** The id of the bundle within its project. */
  id: string
  dist?: string
  /** Unix milliseconds. */
  uploadedAt: number
  /** When a frame was last mapped with it; absent if none was. */
  usedAt?: number
  fileCount: number
  /** The compressed size. */
  storedBytes: number
}

/** An upload with its files. */
export interface ArtifactBundle extends ArtifactUpload {
  /** Absent if its files are found by debug ids alone. */
  release?: string
  /** The first files. */
  files: ArtifactFile[]
}

/** A file of an upload. */
export interface ArtifactFile {
  kind: string
  url: string
  /** Written as a UUID. */
  debugId?: string
  /** The size of the file, uncompressed. */
  byteCount: number
}

/** The size of all uploads of a project. */
export interface ArtifactUsage {
  bundleCount: number
  fileCount: number
  storedBytes: number
}

/** The reason why frames of an event have no source code. */
export interface SourceMapProblem {
  /** URL or path of the file. */
  path: string
  /** The debug id of the file, written as a UUID; absent if the build added none. */
  debugId?: string
  /**
   * `missing`: no map was uploaded; `unreadable`, `too-large`: the uploaded map cannot be used; `unmapped`:
   * the map has no entry for some positions; `late`: reading the map takes long, and the next request may
   * have it.
   */
  reason: 'missing' | 'unreadable' | 'too-large' | 'unmapped' | 'late'
  /** The number of unmapped positions. */
  unmappedCount?: number
}
