import { limits } from '#server/limits.ts'
import type { Change } from './meta-tree.ts'
import type { Remark } from './scrub-text.ts'

/** Where a walk through a payload is, and what it has changed so far. */
export class ChangeLog {
  readonly changes: Change[] = []
  /** Names of fields that were passed. */
  nameCount = 0
  /** Names that were scrubbed as text. */
  private readCount = 0
  private readonly path: (string | number)[] = []
  private remarkCount = 0
  private findingCount = 0

  /** Enters an entry of the value at `depth`; the root's depth is 0. */
  enter(depth: number, key: string | number): void {
    this.path[depth] = key
  }

  /**
   * Secrets that may be found in the next text before it is one as a whole. In an event with thousands of
   * them, one is enough: it bounds the time that an event made for this can take.
   */
  get findingLimit(): number {
    return Math.max(1, Math.min(limits.secretsPerText, limits.secretsPerEvent - this.findingCount))
  }

  /**
   * Counts a name before it is read; false after `limits.scrubNames`: values under further names are not
   * inspected.
   */
  countRead(): boolean {
    if (this.isFull) return false
    this.readCount += 1
    return true
  }

  get isFull(): boolean {
    return this.readCount >= limits.scrubNames
  }

  /** Counts the secrets of a text. */
  count(findings: number): void {
    this.findingCount += findings
  }

  /**
   * Remembers what was changed at the place reached; past `limits.scrubRemarks` no more, the payload has its
   * marks.
   */
  record(depth: number, remarks: readonly Remark[], length?: number): void {
    if (this.remarkCount >= limits.scrubRemarks) return
    const path = this.path.slice(0, depth).map(String)
    // "" is the key of a value's own metadata in `_meta`, so a field of that name cannot be represented.
    if (path.includes('')) return
    this.remarkCount += remarks.length
    this.changes.push({
      path,
      remarks: remarks.slice(0, limits.scrubRemarksPerValue),
      length,
    })
  }
}
