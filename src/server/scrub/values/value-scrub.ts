import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { FindingList } from '#server/scrub/finding-list.ts'
import { isSecretName, isSecretValue, ruleOf, type FieldName } from '#server/scrub/names/field-name.ts'
import { countNames } from '#server/scrub/names/name-count.ts'
import { PayloadWalk, type ReadEntry } from '#server/scrub/payload-walk.ts'
import type { Finding } from '#server/scrub/scrub-rule.ts'
import type { TextKind } from '#server/scrub/scrub-text.ts'
import { isCardNumber } from './card-number.ts'
import { findSessionCookies, isSessionCookie } from './cookie-text.ts'

/** The smallest number with as many digits as a card number. */
const fourteenDigits = 1e13

/**
 * Scrubs free-form values. Values without secrets are returned as they are, others as copies that share the
 * unchanged parts; nothing is modified in place.
 */
export class ValueScrub extends PayloadWalk {
  /** A value without a name. */
  value(value: Json, depth: number): Json {
    if (typeof value === 'string') return this.text(value, 'text', depth)
    if (typeof value === 'number') return this.number(value, depth)
    if (typeof value !== 'object' || value === null) return value
    return this.entries(
      value,
      depth,
      Array.isArray(value) ? this.elementReader(value) : this.fieldReader(value),
    )
  }

  /** A value under a name that the sender chose. */
  named(value: Json, name: string, depth: number): Json {
    return this.log.countRead()
      ? this.field(value, this.plan.readName(name), depth)
      : this.unread(value, depth)
  }

  /** Removes a value that was not searched. */
  private unread(value: Json, depth: number): Json {
    if (value === null) return value
    this.log.nameCount += countNames(value)
    this.log.record(depth, [['!limit', 'x']])
    return null
  }

  /** A value whose name has been classified. */
  protected field(value: Json, field: FieldName, depth: number): Json {
    if (value === null || typeof value === 'boolean') return value
    if (field.kind === 'excluded') return this.untouched(value, depth)
    const isSecret = isSecretName(field) && field.kind !== 'counted'
    if (!isSecret && isAttribute(value)) return this.attribute(value, field, depth)
    if (isSecret || (field.kind === 'counted' && !isCount(value))) {
      return this.filter(value, ruleOf(field), depth)
    }
    if (field.kind === 'conditional') return this.conditional(value, field, depth)
    const { context } = field
    if (context === 'cookies' || context === 'cookie_header') return this.cookies(value, depth)
    if (typeof value !== 'string' || context === 'any') return this.value(value, depth)
    if (context === 'identifier' && isHexadecimal(value)) return value
    if (context === 'address' && this.plan.removesAddresses && value !== '') return this.remove(value, depth)
    return this.text(value, context === 'route' ? 'route' : 'text', depth)
  }

  /** `{ "value": "…", "type": "string" }`, the attribute of a span: its value belongs to the field's name. */
  private attribute(value: JsonObject, field: FieldName, depth: number): Json {
    return this.entries(value, depth, (entry, key, entryDepth) =>
      key === 'value' ? this.field(entry, field, entryDepth) : this.named(entry, String(key), entryDepth),
    )
  }

  /** A value whose name is not decisive: each text or number in it is tested. */
  private conditional(value: Json, field: FieldName, depth: number): Json {
    if (typeof value === 'string' || typeof value === 'number') {
      return isSecretValue(field, String(value))
        ? this.filter(value, ruleOf(field), depth)
        : this.value(value, depth)
    }
    if (!Array.isArray(value)) return this.value(value, depth)
    return this.entries(value, depth, (entry, _index, entryDepth) => this.field(entry, field, entryDepth))
  }

  private number(value: number, depth: number): Json {
    if (value < fourteenDigits || !this.plan.rules.has('creditcard') || !Number.isSafeInteger(value))
      return value
    return isCardNumber(String(value)) ? this.filter(value, 'creditcard', depth) : value
  }

  protected override isFreeForm(read: ReadEntry): boolean {
    return read === this.readField
  }

  private readonly readField: ReadEntry = (entry, key, depth) => this.named(entry, String(key), depth)

  /** Fields by their names; in `{ "key": "password", "value": "…" }` the value's name is the key's value. */
  private fieldReader(source: JsonObject): ReadEntry {
    const name = source['value'] === undefined ? undefined : (source['key'] ?? source['name'])
    if (typeof name !== 'string') return this.readField
    return (entry, key, depth) => this.named(entry, key === 'value' ? name : String(key), depth)
  }

  /** Elements of a list; `["password", "…"]` is a pair, and an element after `"--password"` is its value. */
  private elementReader(source: Json[]): ReadEntry {
    return (entry, key, depth) => {
      const before = source[Number(key) - 1]
      if (typeof before === 'string' && typeof entry === 'string' && before.startsWith('-')) {
        return this.named(entry, before, depth)
      }
      return isPair(entry) ? this.pair(entry, depth, this.readField) : this.value(entry, depth)
    }
  }

  /** `[name, value]`, which is scrubbed like a field of that name. */
  protected pair(pair: [string, Json], depth: number, read: ReadEntry): Json {
    return this.entries(pair, depth, (entry, key, entryDepth) =>
      key === 1 ? read(entry, pair[0], entryDepth) : this.value(entry, entryDepth),
    )
  }

  /** Cookies: the text of one or several headers, a map, or pairs. */
  private cookies(value: Json, depth: number): Json {
    if (typeof value === 'string') return this.cookieText(value, depth)
    if (typeof value !== 'object' || value === null) return value
    return this.entries(value, depth, (entry, key, entryDepth) => {
      if (isPair(entry)) return this.pair(entry, entryDepth, this.readCookie)
      if (typeof key === 'string') return this.readCookie(entry, key, entryDepth)
      return typeof entry === 'string'
        ? this.cookieText(entry, entryDepth)
        : this.cookieObject(entry, entryDepth)
    })
  }

  /** `{ "name": "sid", "value": "…" }` */
  private cookieObject(value: Json, depth: number): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.value(value, depth)
    const name = value['name'] ?? value['key']
    return this.entries(value, depth, (entry, key, entryDepth) =>
      key === 'value' && typeof name === 'string'
        ? this.readCookie(entry, name, entryDepth)
        : this.named(entry, String(key), entryDepth),
    )
  }

  private readonly readCookie: ReadEntry = (entry, key, depth) => {
    const isSecret = this.plan.rules.has('cookie') && isSessionCookie(String(key))
    const isExcluded = this.plan.readName(String(key)).kind === 'excluded'
    return isSecret && !isExcluded && entry !== null
      ? this.filter(entry, 'cookie', depth)
      : this.named(entry, String(key), depth)
  }

  private cookieText(text: string, depth: number): string {
    return this.replace(text, depth, (part) => {
      const cookies = new FindingList(limits.secretsPerText)
      if (this.plan.rules.has('cookie')) {
        findSessionCookies(part, (name) => this.isSecretCookie(name), cookies)
      }
      const whole = cookies.isFull ? [{ start: 0, end: part.length, rule: 'cookie' as const }] : []
      return [...whole, ...cookies.found, ...this.find(part, 'text')]
    })
  }

  private isSecretCookie(name: string): boolean {
    const field = this.plan.readName(name)
    return isSecretName(field) || (field.kind !== 'excluded' && isSessionCookie(name))
  }

  /** A text that is not a field of a payload. */
  line(text: string): string {
    return this.text(text, 'text', 0)
  }

  /** A text: only its secrets are removed. */
  protected text(text: string, kind: TextKind, depth: number): string {
    const findings = this.find(text, kind)
    // Nearly always: what replaces secrets is made only where there are some.
    return findings.length === 0 ? text : this.replaceText(text, depth, { findings, kind })
  }

  private replaceText(
    text: string,
    depth: number,
    { findings, kind }: { findings: readonly Finding[]; kind: TextKind },
  ): string {
    return this.replaceFound(text, depth, { findings, find: (part) => this.find(part, kind) })
  }
}

/** A number, also as a text: SDKs for Python send variables as texts. */
function isCount(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
}

const attributeFields = new Set(['value', 'type', 'unit'])

function isAttribute(value: Json): value is JsonObject {
  if (!isJsonObject(value) || value['value'] === undefined) return false
  for (const name in value) if (!attributeFields.has(name)) return false
  return true
}

/** `[name, value]` */
export function isPair(value: Json): value is [string, Json] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}

function isHexadecimal(text: string): boolean {
  return text.length <= 64 && /^[\da-f-]+$/i.test(text)
}
