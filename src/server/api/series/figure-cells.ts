import type { NamedCounts } from '#server/store/figures/read-figures.ts'
import type { FigureSums } from '#server/store/figures/sums.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { minuteMs } from '#time/time-steps.ts'
import { apdexOf, quantileOf } from '#traces/histogram.ts'

/** The name of a transaction, or of a group of spans, and its project. */
export interface NamedSubject {
  name: NamedCounts
  project: ProjectName
}

/** The counts of a range with this length in milliseconds. */
export interface CountedRange {
  sums: FigureSums
  lengthMs: number
  /** The threshold of Apdex. */
  apdexMs: number
}

type FigureType = 'integer' | 'rate' | 'duration' | 'percentage' | 'number'
type ReadFigure = (counted: CountedRange) => number

interface Figure {
  type: FigureType
  read: ReadFigure
}

const perMinute: ReadFigure = ({ sums, lengthMs }) => (sums.weight * minuteMs) / lengthMs
const perSecond: ReadFigure = (counted) => perMinute(counted) / 60
const milliseconds =
  (quantile: number): ReadFigure =>
  ({ sums }) =>
    (quantileOf(sums.histogram, quantile) ?? 0) / 1000

/** By the names of functions, without the duration in parentheses. */
const figures: Readonly<Record<string, Figure>> = {
  'count()': { type: 'integer', read: ({ sums }) => sums.count },
  'epm()': { type: 'rate', read: perMinute },
  'tpm()': { type: 'rate', read: perMinute },
  'eps()': { type: 'rate', read: perSecond },
  'tps()': { type: 'rate', read: perSecond },
  'p50()': { type: 'duration', read: milliseconds(0.5) },
  'p75()': { type: 'duration', read: milliseconds(0.75) },
  'p95()': { type: 'duration', read: milliseconds(0.95) },
  'p99()': { type: 'duration', read: milliseconds(0.99) },
  'avg()': { type: 'duration', read: ({ sums }) => sums.sum / Math.max(1, sums.count) / 1000 },
  'sum()': { type: 'duration', read: ({ sums }) => sums.sum / 1000 },
  'failure_count()': { type: 'integer', read: ({ sums }) => sums.failureCount },
  'failure_rate()': { type: 'percentage', read: ({ sums }) => sums.failureCount / Math.max(1, sums.count) },
  'apdex()': { type: 'number', read: ({ sums, apdexMs }) => apdexOf(sums.histogram, apdexMs * 1000) ?? 0 },
}

const names: Readonly<Record<string, (subject: NamedSubject) => string | number>> = {
  transaction: ({ name }) => name.name,
  'transaction.op': ({ name }) => name.op,
  'span.description': ({ name }) => name.name,
  'span.op': ({ name }) => name.op,
  'span.category': ({ name }) => name.op,
  project: ({ project }) => project.slug,
  'project.name': ({ project }) => project.slug,
  'project.id': ({ project }) => project.id,
}

/** The functions of transactions and groups of spans. */
export const figureNames = Object.keys(figures)

/** Their other fields. */
export const subjectFieldNames = Object.keys(names)

/**
 * Returns the reader of a function, also with a duration in parentheses, and of `apdex(500)` with a threshold
 * of its own; undefined for unknown names.
 */
export function findFigure(field: string): Figure | undefined {
  const [, threshold] = /^apdex\((?:(?:transaction|span)\.duration, *)?(\d{1,7})\)$/.exec(field) ?? []
  if (threshold !== undefined) {
    const apdexMs = Number(threshold)
    return { type: 'number', read: ({ sums }) => apdexOf(sums.histogram, apdexMs * 1000) ?? 0 }
  }
  const name = field.replace(/\((?:transaction|span)\.duration\)$/, '()')
  return Object.hasOwn(figures, name) ? figures[name] : undefined
}

/** True for a function that depends on the threshold of a project. */
export function isByThreshold(field: string): boolean {
  return findFigure(field) === figures['apdex()']
}

/** Returns the reader of another field; undefined for unknown names. */
export function findSubjectField(field: string) {
  return Object.hasOwn(names, field) ? names[field] : undefined
}
