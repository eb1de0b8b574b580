import type { FieldError } from '#protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { nonEmpty } from './emptiness.ts'
import type { EventCache } from './event-cache.ts'
import { boundJson, boundJsonObject, createSmallBudget, type JsonBudget } from './free-form-json.ts'
import { cleanText } from './text.ts'

/** The state shared by all readers of one payload. */
export interface Reading {
  /** The fields that could not be parsed. */
  errors: FieldError[]
  /** True to skip parts that are only displayed. */
  isForIndex: boolean
  cache?: EventCache | undefined
}

/**
 * Reads the fields of one object of a payload independently: a field of the wrong type is recorded as an
 * error and undefined, and the rest of the object is still read.
 *
 * Missing, null and empty fields are undefined without an error. The path of a field is only computed for an
 * error, because nearly no event has one.
 */
export class FieldReader {
  readonly source: JsonObject
  private readonly reading: Reading
  private readonly parent: FieldReader | undefined
  private readonly name: string

  private constructor(source: JsonObject, reading: Reading, parent?: { reader: FieldReader; name: string }) {
    this.source = source
    this.reading = reading
    this.parent = parent?.reader
    this.name = parent?.name ?? ''
  }

  /** Creates a reader of a whole payload. */
  static of(source: JsonObject, reading: Reading): FieldReader {
    return new FieldReader(source, reading)
  }

  /** True to skip parts that are only displayed. */
  get isForIndex(): boolean {
    return this.reading.isForIndex
  }

  get cache(): EventCache | undefined {
    return this.reading.cache
  }

  /** The number of fields that have been dropped or truncated so far. */
  get errorCount(): number {
    return this.reading.errors.length
  }

  /** Records that a field was dropped or truncated; an empty `key` means this object itself. */
  note(key: string, reason: FieldError['reason']): void {
    const { errors } = this.reading
    if (errors.length < limits.fieldErrors) errors.push({ field: this.path(key), reason })
  }

  /** Creates a reader of an object that was found under `key`. */
  within(source: JsonObject, key: string): FieldReader {
    return new FieldReader(source, this.reading, { reader: this, name: key })
  }

  /**
   * A text of at most `maxCharacters`. Numbers and booleans are converted; longer texts are truncated with an
   * error.
   */
  text(key: string, maxCharacters: number): string | undefined {
    const value = this.source[key]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return this.cut(key, value, maxCharacters)
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    this.note(key, 'wrong_type')
    return undefined
  }

  /** Like `text`, but trimmed; a text of whitespace is undefined. */
  trimmedText(key: string, maxCharacters: number): string | undefined {
    const value = this.source[key]
    if (typeof value !== 'string') return this.text(key, maxCharacters)
    const trimmed = value.trim()
    return trimmed === '' ? undefined : this.cut(key, trimmed, maxCharacters)
  }

  /** Like `text`, but an object or list becomes JSON: for display fields that SDKs fill with any type. */
  anyText(key: string, maxCharacters: number): string | undefined {
    const value = this.source[key]
    if (typeof value !== 'object' || value === null) return this.text(key, maxCharacters)
    // Bounded first: JSON.stringify overflows the stack from about 5,000 levels on.
    return this.cut(key, JSON.stringify(boundJson(value, createSmallBudget())), maxCharacters)
  }

  /** A boolean; 0, 1, `"true"` and `"false"` are converted. */
  flag(key: string): boolean | undefined {
    const value = this.source[key]
    if (typeof value === 'boolean') return value
    if (value === undefined || value === null) return undefined
    if (value === 1 || value === 'true') return true
    if (value === 0 || value === 'false') return false
    this.note(key, 'wrong_type')
    return undefined
  }

  /** A non-negative integer; decimal digits in a string are converted. */
  count(key: string): number | undefined {
    const value = this.source[key]
    if (value === undefined || value === null || value === '') return undefined
    const number = typeof value === 'string' && value.length <= 15 ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
    this.note(key, 'wrong_type')
    return undefined
  }

  /** A reader of the object under `key`. */
  object(key: string): FieldReader | undefined {
    const value = this.source[key]
    if (value === undefined || value === null) return undefined
    if (isJsonObject(value)) return this.within(value, key)
    this.note(key, 'wrong_type')
    return undefined
  }

  /**
   * Readers of the objects under `key`: a list of them, a list inside `{ values }`, or a single object.
   *
   * Only the last `newest` elements are read; more are an error. Nulls and unwanted entries are skipped;
   * other values are skipped with an error.
   */
  objects(key: string, newest: number, isWanted?: (source: JsonObject) => boolean): FieldReader[] {
    const value = this.source[key]
    if (!isJsonObject(value)) return this.elements(key, newest, isWanted)
    const holder = this.within(value, key)
    if (value['values'] !== undefined) return holder.elements('values', newest, isWanted)
    return isWanted?.(value) === false ? [] : [holder]
  }

  /** The list under `key`, with unparsed elements. */
  list(key: string): Json[] | undefined {
    const value = this.source[key]
    if (value === undefined || value === null) return undefined
    if (Array.isArray(value)) return value
    this.note(key, 'wrong_type')
    return undefined
  }

  /** Free-form JSON, an object; an empty one is undefined. A list becomes an object by its indexes. */
  json(key: string, budget: JsonBudget): JsonObject | undefined {
    const value = this.source[key]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'object') {
      this.note(key, 'wrong_type')
      return undefined
    }
    const object = Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : value
    const bounded = boundJsonObject(object, budget)
    if (budget.isExceeded) this.note(key, 'too_long')
    return nonEmpty(bounded)
  }

  private elements(key: string, newest: number, isWanted?: (source: JsonObject) => boolean): FieldReader[] {
    const list = this.list(key) ?? []
    const first = Math.max(0, list.length - newest)
    if (first > 0) this.note(key, 'too_many')
    const holder = this.within(this.source, key)
    const readers: FieldReader[] = []
    for (let index = first; index < list.length; index += 1) {
      const element = list[index]
      if (isJsonObject(element)) {
        if (isWanted?.(element) !== false) readers.push(holder.within(element, String(index)))
      } else if (element !== null) holder.note(String(index), 'wrong_type')
    }
    return readers
  }

  private cut(key: string, value: string, maxCharacters: number): string {
    if (value.length > maxCharacters) this.note(key, 'too_long')
    return cleanText(value, maxCharacters)
  }

  private path(key: string): string {
    const own = this.parent === undefined ? '' : this.parent.path(this.name)
    if (own === '') return cleanText(key, limits.jsonKeyCharacters)
    return key === '' ? own : `${own}.${cleanText(key, limits.jsonKeyCharacters)}`
  }
}
