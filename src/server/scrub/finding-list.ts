import type { Finding, ScrubRule } from './scrub-rule.ts'

/** The secrets found in one text so far, in any order, possibly overlapping. */
export class FindingList {
  readonly found: Finding[] = []
  private readonly limit: number

  /** `limit` ends the search: a text with this many secrets is replaced as a whole. */
  constructor(limit: number) {
    this.limit = limit
  }

  get isFull(): boolean {
    return this.found.length >= this.limit
  }

  add(start: number, end: number, rule: ScrubRule): void {
    this.found.push({ start, end, rule })
  }

  /**
   * Calls `visit` with each match of a pattern with the flag `g`. `String.matchAll` first copies the pattern,
   * which costs more than searching a typical text. `visit` must not use the same pattern.
   */
  search(text: string, pattern: RegExp, visit: (match: RegExpExecArray) => void): void {
    pattern.lastIndex = 0
    while (!this.isFull) {
      const match = pattern.exec(text)
      if (match === null) return
      visit(match)
    }
  }
}
