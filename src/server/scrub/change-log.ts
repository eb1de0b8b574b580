import { limits } from '#server/limits.ts'
import type { Change } from './meta-tree.ts'
import type { Remark } from './scrub-text.ts'

/** The current position of a walk through a payload, and the changes so far. */
export class ChangeLog {
  readonly changes: Change[] = []
  /** Number of names of visited fields. */
  nameCount = 0
  /** Number of names that were scrubbed as text. */
  private readCount = 0
  private readonly path: (string | number)[] = []
  private remarkCount = 0
  private findingCount = 0

  /** Enters an entry of the value at `depth`; the root's depth is 0. */
  enter(depth: number, key: string | number): void {
    this.path[depth] = key
  }

  /**
   * Maximum number of secrets in the next text before it is replaced as a whole. In an event with thousands
   * of secrets it is one, which limits the time that a hostile event can take.
   */
  get findingLimit(): number {
    return Math.max(1, Math.min(limits.secretsPerText, limits.secretsPerEvent - this.findingCount))
  }

  /**
   * Counts a name before it is read. False after `limits.scrubNames`: values under further names are not
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
   * Records a change at the current position. After `limits.scrubRemarks` changes, only the marks in the
   * payload remain.
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
