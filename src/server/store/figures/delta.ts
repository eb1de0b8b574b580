import { limits } from '#server/limits.ts'
import { minuteMs, stepOf } from '#time/time-steps.ts'
import type { Figure } from '#traces/figures.ts'
import { addToBucket } from '#traces/histogram.ts'
import { otherName } from '#traces/transaction-name.ts'
import type { FigureRecord } from './records.ts'
import { addFigure, addFigureSums, boundSums, createSums, type FigureSums } from './sums.ts'

/** The key of a counter: a name with its facet and release, in one minute. */
export interface CountedKey extends Pick<Figure, 'kind' | 'name' | 'op' | 'facet'> {
  release: string
  /** The start of the minute. */
  minute: number
}

/** A key with its sums. */
export interface CountedFigure {
  key: CountedKey
  sums: FigureSums
}

/** The figures of one project by the text of their keys. */
export type ProjectFigures = Map<string, CountedFigure>

/**
 * The sums of a project's figures in one commit. Names beyond `limits.figuresPerCommit` are counted under
 * `<other>`.
 */
export function sumFigures(records: readonly FigureRecord[]): ProjectFigures {
  const figures: ProjectFigures = new Map()
  for (const { receivedAt, figures: sent } of records) {
    const minute = stepOf(receivedAt, minuteMs)
    for (const figure of sent) {
      const { kind, name, op, facet, release = '' } = figure
      const key = { kind, name, op, facet, release, minute }
      const isFull = figures.size >= limits.figuresPerCommit && !figures.has(textOf(key))
      addFigure(sumsOf(figures, isFull ? { ...key, name: otherName, facet: '', release: '' } : key), figure)
    }
  }
  return figures
}

/** Fields per figure in the text. */
const fieldCount = 12

/**
 * The figures of a project as one text: JSON, as flat as possible.
 *
 *     [kind, op, name, facet, release, minute, count, weight, failures, good, sum, [bucket, count, …], …]
 */
export function formatFigureDelta(figures: ProjectFigures): string {
  const flat: unknown[] = []
  for (const { key, sums } of figures.values()) {
    const { kind, op, name, facet, release, minute } = key
    const { count, weight, failureCount, goodCount, sum, histogram } = sums
    flat.push(kind, op, name, facet, release, minute, count, weight, failureCount, goodCount, sum)
    flat.push([...histogram].flat())
  }
  return JSON.stringify(flat)
}

/**
 * Adds a text of `formatFigureDelta` to figures, skipping damaged ones. Returns the error of one of these.
 * Throws if the text is not a list of figures.
 */
export function addFigureDelta(figures: ProjectFigures, text: string): unknown {
  const flat: unknown = JSON.parse(text)
  if (!Array.isArray(flat) || flat.length % fieldCount !== 0) throw damaged()
  let damage: unknown
  for (let at = 0; at < flat.length; at += fieldCount) {
    try {
      const { key, sums } = readFigure(flat.slice(at, at + fieldCount))
      addFigureSums(sumsOf(figures, key), sums)
    } catch (error) {
      damage = error
    }
  }
  return damage
}

/** The index in a figure. Earlier versions could write an infinite weight, which JSON represents as null. */
const weightAt = 2

function readFigure(fields: readonly unknown[]): CountedFigure {
  const [kind, op, name, facet, release] = fields.slice(0, 5).map(requireText)
  const [minute = 0, count = 0, weight = 0, failureCount = 0, goodCount = 0, sum = 0] = fields
    .slice(5, 11)
    .map((field, at) => requireNumber(at === weightAt && field === null ? Infinity : field))
  const pairs: unknown = fields[11]
  if (kind !== 'transaction' && kind !== 'span' && kind !== 'vital') throw damaged()
  if (op === undefined || name === undefined || facet === undefined || release === undefined) throw damaged()
  if (!Array.isArray(pairs)) throw damaged()
  const sums = boundSums({ ...createSums(), count, weight, failureCount, goodCount, sum })
  for (let at = 0; at < pairs.length; at += 2)
    addToBucket(sums.histogram, requireNumber(pairs[at]), requireNumber(pairs[at + 1]))
  return { key: { kind, op, name, facet, release, minute }, sums }
}

function sumsOf(figures: ProjectFigures, key: CountedKey): FigureSums {
  const text = textOf(key)
  const known = figures.get(text)
  if (known !== undefined) return known.sums
  const sums = createSums()
  figures.set(text, { key, sums })
  return sums
}

function textOf({ kind, op, name, facet, release, minute }: CountedKey): string {
  return `${kind}\0${op}\0${name}\0${facet}\0${release}\0${minute}`
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw damaged()
  return value
}

function requireNumber(value: unknown): number {
  if (typeof value !== 'number') throw damaged()
  return value
}

function damaged(): Error {
  return new Error('a delta of figures is corrupt')
}
