import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { cleanText } from './text.ts'

/** The remaining budget of a piece of free-form JSON. */
export interface JsonBudget {
  /** Object entries and list elements. */
  entries: number
  /** Characters of keys and strings. */
  characters: number
  /** True if a value was truncated or left out. */
  isExceeded: boolean
}

/** A budget for `extra`, for all contexts of an event, or for a request's body. */
export function createLargeBudget(): JsonBudget {
  return { entries: limits.jsonEntries, characters: limits.jsonCharacters, isExceeded: false }
}

/** A budget for one of many objects: a frame's variables, a breadcrumb's data. */
export function createSmallBudget(): JsonBudget {
  return { entries: limits.smallJsonEntries, characters: limits.smallJsonCharacters, isExceeded: false }
}

/**
 * Limits free-form JSON in depth, entries and characters, and cleans its texts.
 *
 * Valid parts are returned without a copy, because this runs on every event, and nearly all are valid. So
 * callers must not mutate the result. Values that are too deep become `…`; entries beyond the budget, and
 * every `__proto__` key, are left out; and a number that JSON cannot represent (`1e999` is parsed as
 * infinity) becomes null.
 */
export function boundJson(value: Json, budget: JsonBudget): Json {
  return boundValue(value, limits.jsonDepth, budget)
}

/** `boundJson` for an object. */
export function boundJsonObject(source: JsonObject, budget: JsonBudget): JsonObject {
  return boundObject(source, limits.jsonDepth, budget)
}

function boundValue(value: Json, depth: number, budget: JsonBudget): Json {
  if (typeof value === 'string') return boundString(value, budget)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return depth > 0 ? boundList(value, depth, budget) : cutDepth(budget)
  if (isJsonObject(value)) return depth > 0 ? boundObject(value, depth, budget) : cutDepth(budget)
  return null
}

function cutDepth(budget: JsonBudget): string {
  budget.isExceeded = true
  return '…'
}

function boundString(text: string, budget: JsonBudget): string {
  const maxCharacters = Math.min(limits.jsonStringCharacters, Math.max(budget.characters, 1))
  if (text.length > maxCharacters) budget.isExceeded = true
  const clean = cleanText(text, maxCharacters)
  budget.characters -= clean.length
  return clean
}

function boundList(source: Json[], depth: number, budget: JsonBudget): Json[] {
  let copy: Json[] | undefined
  let index = 0
  for (const element of source) {
    if (!takeEntry(budget, 0)) return copy ?? source.slice(0, index)
    const bounded = boundValue(element, depth - 1, budget)
    if (bounded !== element) copy ??= source.slice(0, index)
    copy?.push(bounded)
    index += 1
  }
  return copy ?? source
}

function boundObject(source: JsonObject, depth: number, budget: JsonBudget): JsonObject {
  let copy: JsonObject | undefined
  let index = 0
  // for…in, because Object.entries would build 80,000 pairs of a hostile object before the first one is read.
  for (const key in source) {
    if (!takeEntry(budget, key.length)) return copy ?? firstEntries(source, index)
    const cleanKey = cleanText(key, limits.jsonKeyCharacters)
    const value = source[key] ?? null
    const bounded = boundValue(value, depth - 1, budget)
    if (bounded !== value || cleanKey !== key || key === '__proto__') copy ??= firstEntries(source, index)
    if (copy !== undefined && cleanKey !== '__proto__') copy[cleanKey] = bounded
    index += 1
  }
  return copy ?? source
}

/** A new object with the first entries of another one, which have already been checked. */
function firstEntries(source: JsonObject, count: number): JsonObject {
  const copy: JsonObject = {}
  let index = 0
  for (const key in source) {
    if (index === count) return copy
    copy[key] = source[key] ?? null
    index += 1
  }
  return copy
}

function takeEntry(budget: JsonBudget, keyCharacters: number): boolean {
  budget.entries -= 1
  budget.characters -= Math.min(keyCharacters, limits.jsonKeyCharacters)
  if (budget.entries >= 0 && budget.characters > 0) return true
  budget.isExceeded = true
  return false
}
