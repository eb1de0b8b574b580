/** Why code of an event has no source. */
export interface SourceMapProblem {
  /** URL or path of the file. */
  path: string
  /** Of the file, written as a UUID; absent where the build gave it none. */
  debugId?: string
  /**
   * `missing`: no map of it was uploaded; `unreadable`, `too-large`: one was, and cannot be used; `unmapped`: the map says nothing of
   * some places; `late`: reading it takes long, and the next look may have it.
   */
  reason: 'missing' | 'unreadable' | 'too-large' | 'unmapped' | 'late'
  /** Of `unmapped`: how many places. */
  unmappedCount?: number
}
