import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { childOf } from './meta-tree.ts'
import type { Remark } from './scrub-text.ts'

/**
 * The current position of a walk through a payload, and the changes so far, as an event's `_meta`: a tree of
 * the payload's own names, in which the entry `""` describes the value at its path (Relay's
 * `relay-protocol/src/meta.rs`): `{"extra": {"pin": {"": {"rem": [[…]], "len": 4}}}}`.
 */
export class ChangeLog {
  hasChanges = false
  /** Number of names of visited fields. */
  nameCount = 0
  /** Number of names that were scrubbed as text. */
  private readCount = 0
  private readonly path: (string | number)[] = []
  /** The nodes of the values on the path, up to `nodeDepth`: most changes have a part of it in common. */
  private readonly nodes: JsonObject[] = [{}]
  private nodeDepth = 0
  private remarkCount = 0
  private findingCount = 0

  /** The changes so far, and the received metadata. */
  get meta(): JsonObject {
    return this.nodes[0] ?? {}
  }

  /** Sets the received metadata, before the first change. Changes are added to it. */
  setMeta(meta: JsonObject): void {
    this.nodes[0] = meta
  }

  /** Enters an entry of the value at `depth`; the root's depth is 0. */
  enter(depth: number, key: string | number): void {
    this.path[depth] = key
    if (depth < this.nodeDepth) this.nodeDepth = depth
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
    // "" is the key of a value's own metadata in `_meta`, so a field of that name cannot be represented.
    for (let at = 0; at < depth; at += 1) if (this.path[at] === '') return
    this.remarkCount += remarks.length
    this.hasChanges = true
    const about = childOf(this.nodeAt(depth), '')
    const kept = remarks.slice(0, limits.scrubRemarksPerValue)
    const earlier = about['rem']
    if (Array.isArray(earlier)) earlier.push(...kept)
    else about['rem'] = kept
    if (length !== undefined) about['len'] ??= length
  }

  private nodeAt(depth: number): JsonObject {
    let node = this.nodes[Math.min(depth, this.nodeDepth)] ?? {}
    for (; this.nodeDepth < depth; this.nodeDepth += 1) {
      node = childOf(node, String(this.path[this.nodeDepth]))
      this.nodes[this.nodeDepth + 1] = node
    }
    return node
  }
}
