import { type GlobInstruction, runGlobProgram } from './glob-program.ts'

/** A compiled pattern. */
interface CompiledGlob {
  /** The longest text that every match contains; empty if there is none. */
  required: string
  program: GlobInstruction[]
}

/** An open `{`: its current alternative, and the ends of the finished ones, which are joined at `}`. */
interface OpenGroup {
  split: { op: 'split'; first: number; second: number }
  ends: { op: 'jump'; target: number }[]
}

/** Options of patterns. */
export interface GlobOptions {
  /** Case-sensitive. */
  isCaseSensitive?: boolean
  /** `*` and `?` do not match slashes, `**` does (Relay's `double_star`). */
  isPath?: boolean
}

export interface GlobSet {
  /** True if one of the patterns matches the whole text; case-insensitive by default. */
  matches(text: string): boolean
}

/**
 * Compiles patterns in Relay's syntax: `*` any text, `?` one character, `[a-z]` and `[!a-z]` one of a class,
 * `{a,b}` alternatives (may be nested), `\` escapes the next character. An unclosed `[` or `{` is literal; an
 * empty pattern matches nothing.
 *
 * The time is at most the text's length times the pattern's, for any pattern: all alternatives advance
 * simultaneously. A translation to RegExp would backtrack, so that `*a*a*a*a*b` in a settings form could
 * block the server.
 */
export function compileGlobs(patterns: readonly string[], options: GlobOptions = {}): GlobSet {
  const fold = (text: string) => (options.isCaseSensitive === true ? text : text.toLowerCase())
  const globs = patterns
    .filter((pattern) => pattern !== '')
    .map((pattern) => compileGlob(fold(pattern), options.isPath === true))
  return {
    matches(text) {
      if (globs.length === 0) return false
      const folded = fold(text)
      return globs.some((glob) => folded.includes(glob.required) && runGlobProgram(glob.program, folded))
    },
  }
}

function compileGlob(text: string, isPath: boolean): CompiledGlob {
  const closed = findClosedGroups(text)
  const compiler = new GlobCompiler()
  for (let index = 0; index < text.length;) {
    const character = text.charAt(index)
    const classEnd = character === '[' ? findClassEnd(text, index) : -1
    if (character === '\\' && index + 1 < text.length) {
      index = compiler.literal(text, index + 1)
    } else if (classEnd !== -1) {
      compiler.class(text.slice(index + 1, classEnd))
      index = classEnd + 1
    } else if ((character === '{' || character === '}') && closed.has(index)) {
      if (character === '{') compiler.openGroup()
      else compiler.closeGroup()
      index += 1
    } else if (character === ',' && compiler.isInGroup()) {
      compiler.nextAlternative()
      index += 1
    } else if (isPath && character === '*' && text.charAt(index + 1) !== '*') {
      compiler.segment()
      index += 1
    } else if (isPath && character === '?') {
      compiler.class('!/')
      index += 1
    } else if (character === '*' || character === '?') {
      if (character === '*') compiler.star()
      else compiler.any()
      index += isPath && character === '*' ? 2 : 1
    } else {
      index = compiler.literal(text, index)
    }
  }
  return compiler.finish()
}

class GlobCompiler {
  readonly #program: GlobInstruction[] = []
  readonly #groups: OpenGroup[] = []
  #run = ''
  #required = ''
  /** The end of the latest `*`: another one directly after it has no effect. */
  #lastStar: GlobInstruction | undefined

  isInGroup(): boolean {
    return this.#groups.length > 0
  }

  /** Adds the character at `index` as a literal; returns the index after it. */
  literal(text: string, index: number): number {
    const codePoint = text.codePointAt(index) ?? 0
    const character = String.fromCodePoint(codePoint)
    if (!this.isInGroup()) this.#run += character
    this.#program.push({ op: 'character', codePoint })
    return index + character.length
  }

  any(): void {
    this.#endRun()
    this.#program.push({ op: 'any' })
  }

  class(body: string): void {
    this.#endRun()
    const isNegated = body.startsWith('!') || body.startsWith('^')
    this.#program.push({ op: 'class', ranges: toRanges(isNegated ? body.slice(1) : body), isNegated })
  }

  star(): void {
    this.#endRun()
    if (this.#lastStar !== undefined && this.#program.at(-1) === this.#lastStar) return
    const start = this.#program.length
    this.#program.push({ op: 'split', first: start + 1, second: start + 3 }, { op: 'any' })
    this.#lastStar = { op: 'jump', target: start }
    this.#program.push(this.#lastStar)
  }

  /** Any text without a slash. */
  segment(): void {
    const start = this.#program.length
    this.#program.push({ op: 'split', first: start + 1, second: start + 3 })
    this.class('!/')
    this.#program.push({ op: 'jump', target: start })
  }

  openGroup(): void {
    this.#endRun()
    const group: OpenGroup = { split: this.#pushSplit(), ends: [] }
    this.#groups.push(group)
  }

  nextAlternative(): void {
    const group = this.#groups.at(-1)
    if (group === undefined) return
    group.ends.push(this.#pushJump())
    group.split.second = this.#program.length
    group.split = this.#pushSplit()
  }

  closeGroup(): void {
    const group = this.#groups.pop()
    if (group === undefined) return
    for (const end of group.ends) end.target = this.#program.length
    // The remainder follows every alternative, not only a last one that ends in `*`.
    this.#lastStar = undefined
  }

  finish(): CompiledGlob {
    this.#endRun()
    this.#program.push({ op: 'match' })
    return { required: this.#required, program: this.#program }
  }

  /** The last alternative has no successor: both branches of its split are the same. */
  #pushSplit(): OpenGroup['split'] {
    const next = this.#program.length + 1
    const split: OpenGroup['split'] = { op: 'split', first: next, second: next }
    this.#program.push(split)
    return split
  }

  #pushJump(): OpenGroup['ends'][number] {
    const jump: OpenGroup['ends'][number] = { op: 'jump', target: 0 }
    this.#program.push(jump)
    return jump
  }

  #endRun(): void {
    if (this.#run.length > this.#required.length) this.#required = this.#run
    this.#run = ''
  }
}

/** The indexes of matching `{` and `}`. */
function findClosedGroups(text: string): ReadonlySet<number> {
  const closed = new Set<number>()
  const open: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '\\') {
      index += 1
    } else if (character === '[') {
      index = Math.max(index, findClassEnd(text, index))
    } else if (character === '{') {
      open.push(index)
    } else if (character === '}') {
      const start = open.pop()
      if (start !== undefined) closed.add(start).add(index)
    }
  }
  return closed
}

/** The index of the `]` that ends the class at `start`, or -1. A `]` as its first character is a member. */
function findClassEnd(text: string, start: number): number {
  const isNegated = text.charAt(start + 1) === '!' || text.charAt(start + 1) === '^'
  return text.indexOf(']', start + (isNegated ? 3 : 2))
}

function toRanges(body: string): [from: number, to: number][] {
  const points = Array.from(body, (character) => character.codePointAt(0) ?? 0)
  const ranges: [number, number][] = []
  for (let index = 0; index < points.length;) {
    const from = points[index] ?? 0
    const end = points[index + 2]
    const isRange = points[index + 1] === hyphen && end !== undefined
    ranges.push([from, isRange ? end : from])
    index += isRange ? 3 : 1
  }
  return ranges
}

const hyphen = 0x2d
