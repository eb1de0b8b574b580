/** An upload of source maps. */
export interface ArtifactUpload {
  /** Of the bundle in its project. */
  id: string
  dist?: string
  /** Unix milliseconds. */
  uploadedAt: number
  /** When something was mapped with it last; absent while nothing was. */
  usedAt?: number
  fileCount: number
  /** As it is stored. */
  storedBytes: number
}

/** An upload with its files. */
export interface ArtifactBundle extends ArtifactUpload {
  /** Absent: its files are found by debug ids alone. */
  release?: string
  /** The first of them. */
  files: ArtifactFile[]
}

/** A file of an upload. */
export interface ArtifactFile {
  kind: string
  url: string
  /** Written as a UUID. */
  debugId?: string
  /** Of the file itself. */
  byteCount: number
}

/** The size of all uploads of a project. */
export interface ArtifactUsage {
  bundleCount: number
  fileCount: number
  storedBytes: number
}

/** Why code of an event has no source. */
export interface SourceMapProblem {
  /** URL or path of the file. */
  path: string
  /** Of the file, written as a UUID; absent where the build gave it none. */
  debugId?: string
  /**
   * `missing`: no map of it was uploaded; `unreadable`, `too-large`: one was, and cannot be used; `unmapped`:
   * the map says nothing of some places; `late`: reading it takes long, and the next look may have it.
   */
  reason: 'missing' | 'unreadable' | 'too-large' | 'unmapped' | 'late'
  /** Of `unmapped`: how many places. */
  unmappedCount?: number
}
