import type { Json, JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { ChangeLog } from './change-log.ts'
import { setOwn } from './meta-tree.ts'
import { countNames } from './names/name-count.ts'
import { renameFields } from './names/renamed-fields.ts'
import type { ScrubPlan } from './scrub-plan.ts'
import { isMark, scrubRules, type Finding, type ScrubRule } from './scrub-rule.ts'
import { findSecrets, replaceSecrets, type TextKind } from './scrub-text.ts'

/** Scrubs one entry of a container and returns its replacement, or the entry itself. */
export type ReadEntry = (entry: Json, key: string | number, depth: number) => Json

/** Names up to this length cannot contain a card, a token or an address. */
const shortName = 10

/** Traverses a payload and replaces values. */
export class PayloadWalk {
  readonly plan: ScrubPlan
  protected readonly log: ChangeLog

  constructor(plan: ScrubPlan, log: ChangeLog) {
    this.plan = plan
    this.log = log
  }

  /** The number of secrets at which the search of a text ends. */
  get limit(): number {
    return this.log.findingLimit
  }

  /** Returns a value unchanged, down to the depth that can be serialized. */
  protected untouched(value: Json, depth: number): Json {
    return typeof value === 'object' && value !== null
      ? this.entries(value, depth, this.readUntouched)
      : value
  }

  private readonly readUntouched: ReadEntry = (entry, _key, depth) => this.untouched(entry, depth)

  /** Finds the secrets in a text. */
  protected find(text: string, kind: TextKind): readonly Finding[] {
    return findSecrets(text, kind, this)
  }

  /** Replaces the secrets that `find` returns by marks. */
  protected replace(text: string, depth: number, find: (text: string) => readonly Finding[]): string {
    const findings = find(text)
    return findings.length === 0 ? text : this.replaceFound(text, depth, { findings, find })
  }

  /** The same for a text that has already been searched. */
  protected replaceFound(
    text: string,
    depth: number,
    { findings, find }: { findings: readonly Finding[]; find: (text: string) => readonly Finding[] },
  ): string {
    this.log.count(findings.length)
    const scrubbed = replaceSecrets(text, findings, find)
    this.log.record(depth, scrubbed.remarks, text.length)
    return scrubbed.text
  }

  /** Replaces a whole value by a mark; an empty value reveals nothing. */
  protected filter(value: Json, rule: ScrubRule, depth: number): Json {
    if (isEmptyOrMark(value)) return value
    const { remark, mark } = scrubRules[rule]
    this.log.nameCount += countNames(value)
    this.log.record(
      depth,
      [[remark, 's', 0, mark.length]],
      typeof value === 'string' ? value.length : undefined,
    )
    return mark
  }

  /** Removes a value. */
  protected remove(text: string, depth: number): null {
    this.log.record(depth, [['@anything:remove', 'x']], text.length)
    return null
  }

  /** A copy of a container with scrubbed entries; the container itself if none of them changed. */
  protected entries(source: Json[] | JsonObject, depth: number, read: ReadEntry): Json {
    if (depth >= limits.scrubDepth) return this.cutOff(source, depth)
    return Array.isArray(source) ? this.elements(source, depth, read) : this.fields(source, depth, read)
  }

  private elements(source: Json[], depth: number, read: ReadEntry): Json[] {
    let copy: Json[] | undefined
    for (let index = 0; index < source.length; index += 1) {
      const element = source[index] ?? null
      this.log.enter(depth, index)
      const clean = read(element, index, depth + 1)
      if (clean !== element) {
        copy ??= [...source]
        copy[index] = clean
      }
    }
    return copy ?? source
  }

  protected fields(source: JsonObject, depth: number, read: ReadEntry): JsonObject {
    let copy: JsonObject | undefined
    let cleanNames: Map<string, string> | undefined
    for (const name in source) {
      if (this.log.isFull && this.isFreeForm(read)) {
        this.log.record(depth, [['!limit', 'x']])
        copy = fieldsBefore(name, copy ?? source)
        break
      }
      const value = source[name] ?? null
      const cleanName = this.cleanName(name)
      if (cleanName !== name) (cleanNames ??= new Map()).set(name, cleanName)
      this.log.nameCount += 1
      this.log.enter(depth, cleanName)
      const clean = read(value, name, depth + 1)
      if (clean !== value) {
        copy ??= { ...source }
        setOwn(copy, name, clean)
      }
    }
    return cleanNames === undefined ? (copy ?? source) : renameFields(copy ?? source, cleanNames)
  }

  /** True if the sender chooses the fields, without a limit of their number. */
  protected isFreeForm(_read: ReadEntry): boolean {
    return false
  }

  /** A name whose secrets are replaced by marks. */
  protected cleanName(name: string): string {
    return name.length <= shortName ? name : this.cleanLongName(name)
  }

  private cleanLongName(name: string): string {
    const findings = this.find(name, 'route')
    if (findings.length === 0) return name
    return replaceSecrets(name, findings, (text) => this.find(text, 'route')).text
  }

  /** Deeper than any screen shows and than JSON could be serialized: the values have not been inspected. */
  private cutOff(source: Json[] | JsonObject, depth: number): Json {
    const nameCount = countNames(source)
    if (nameCount === 0 && Object.keys(source).length === 0) return source
    this.log.nameCount += nameCount
    this.log.record(depth, [['!limit', 'x']])
    return null
  }
}

function fieldsBefore(end: string, source: JsonObject): JsonObject {
  const copy: JsonObject = {}
  for (const name in source) {
    if (name === end) break
    setOwn(copy, name, source[name] ?? null)
  }
  return copy
}

function isEmptyOrMark(value: Json): boolean {
  if (typeof value === 'string') return value === '' || isMark(value)
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
