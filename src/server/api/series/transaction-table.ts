import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { limits } from '#server/limits.ts'
import { listNames, readFigures, sumBy, type NamedCounts } from '#server/store/figures/read-figures.ts'
import type { FigureSums } from '#server/store/figures/sums.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { dayMs, dayOf, hourMs, hourOf, minuteMs } from '#time/time-steps.ts'
import { apdexOf, quantileOf } from '#traces/histogram.ts'
import { readSteps } from './read-steps.ts'

/** A transaction, or a group of spans, in a range. */
interface CountedTransaction {
  name: NamedCounts
  project: ProjectName
  sums: FigureSums
  lengthMs: number
}

type ReadCell = (transaction: CountedTransaction) => string | number

const perMinute: ReadCell = ({ sums, lengthMs }) => (sums.weight * minuteMs) / lengthMs
const milliseconds =
  (quantile: number): ReadCell =>
  ({ sums }) =>
    (quantileOf(sums.histogram, quantile) ?? 0) / 1000

/** The figure of a transaction by the name of its field, without the duration in parentheses. */
const cells: Readonly<Record<string, { type: string; read: ReadCell }>> = {
  transaction: { type: 'string', read: ({ name }) => name.name },
  'transaction.op': { type: 'string', read: ({ name }) => name.op },
  'span.description': { type: 'string', read: ({ name }) => name.name },
  'span.op': { type: 'string', read: ({ name }) => name.op },
  'span.category': { type: 'string', read: ({ name }) => name.op },
  project: { type: 'string', read: ({ project }) => project.slug },
  'project.name': { type: 'string', read: ({ project }) => project.slug },
  'project.id': { type: 'integer', read: ({ project }) => project.id },
  'count()': { type: 'integer', read: ({ sums }) => sums.count },
  'epm()': { type: 'rate', read: perMinute },
  'tpm()': { type: 'rate', read: perMinute },
  'eps()': { type: 'rate', read: (each) => Number(perMinute(each)) / 60 },
  'tps()': { type: 'rate', read: (each) => Number(perMinute(each)) / 60 },
  'p50()': { type: 'duration', read: milliseconds(0.5) },
  'p75()': { type: 'duration', read: milliseconds(0.75) },
  'p95()': { type: 'duration', read: milliseconds(0.95) },
  'p99()': { type: 'duration', read: milliseconds(0.99) },
  'avg()': { type: 'duration', read: ({ sums }) => sums.sum / Math.max(1, sums.count) / 1000 },
  'sum()': { type: 'duration', read: ({ sums }) => sums.sum / 1000 },
  'failure_count()': { type: 'integer', read: ({ sums }) => sums.failureCount },
  'failure_rate()': { type: 'percentage', read: ({ sums }) => sums.failureCount / Math.max(1, sums.count) },
  'apdex()': { type: 'number', read: ({ sums }) => apdexOf(sums.histogram, 300_000) ?? 0 },
}

/** The fields of both tables, for the document. */
export const transactionFieldNames = Object.keys(cells)

/** What a table has a row for each of. */
interface TableSubject {
  kind: 'transaction' | 'span'
  /** Only groups of spans of this category. */
  op?: string | undefined
  /** A part of the name. */
  text: string
}

function findCell(field: string) {
  const name = field.replace(/\((?:(?:transaction|span)\.duration|300)\)$/, '()')
  return Object.hasOwn(cells, name) ? cells[name] : undefined
}

/** Transactions with their figures, those with most time first unless `sort` names a field. */
export function answerTransactionTable(call: ApiCall): Promise<ApiAnswer> {
  const text = readName(call.url.searchParams.get('query') ?? '')
  return answerTable(call, text === undefined ? undefined : { kind: 'transaction', text })
}

/**
 * Groups of spans with their figures, or transactions if the query has `is_transaction:true`. Single spans
 * are not searchable: a table with other fields has no rows, so that panels of Grafana's data source are
 * empty instead of broken.
 */
export function answerSpanTable(call: ApiCall): Promise<ApiAnswer> {
  const fields = call.url.searchParams.getAll('field')
  if (fields.length === 0 || !fields.every(findCell))
    return Promise.resolve(answer({ data: [], meta: { fields: {} } }))
  return answerTable(call, readSpanSubject(call.url.searchParams.get('query') ?? ''))
}

/** Bad request without a subject. */
async function answerTable(call: ApiCall, subject: TableSubject | undefined): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const asked = parameters.getAll('field')
  const fields = asked.length === 0 ? ['transaction', 'project', 'count()', 'p95()'] : asked
  const sort = parameters.get('sort') ?? ''
  const sortField = sort.replace(/^-/, '')
  const unknown = [...fields, ...(sort === '' ? [] : [sortField])].find((field) => !findCell(field))
  if (unknown !== undefined)
    return errorAnswer(
      400,
      `Not supported of transactions: "${unknown}". Fields are ${transactionFieldNames.join(', ')}.`,
    )
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  if (subject === undefined)
    return errorAnswer(
      400,
      'The query is a part of a name: transaction:checkout. Of spans: span.description:orders, span.op:db, is_transaction:true.',
    )
  const steps = readSteps(call)
  if (!steps.ok) return steps.error
  const counted = await readTransactions(call, { projects: scope.projects, subject, ...steps.value })
  const key = findCell(sortField)?.read
  const ordered =
    key === undefined ? counted : counted.toSorted((one, other) => compare(key(one), key(other)))
  const rows = sort.startsWith('-') ? ordered.toReversed() : ordered
  return answer({
    data: rows
      .slice(0, limit.value)
      .map((row) => Object.fromEntries(fields.map((field) => [field, findCell(field)?.read(row) ?? null]))),
    meta: { fields: Object.fromEntries(fields.map((field) => [field, findCell(field)?.type ?? 'string'])) },
  })
}

/** What a query of spans asks for; undefined for other queries. */
function readSpanSubject(query: string): TableSubject | undefined {
  let [kind, op]: [TableSubject['kind'], string | undefined] = ['span', undefined]
  const rest = splitWords(query).filter((word) => {
    const [, key, value = ''] = /^(is_transaction|span\.op|span\.category):"?([\w.]+)"?$/.exec(word) ?? []
    if (key === 'is_transaction' && /^(?:true|1)$/.test(value)) kind = 'transaction'
    else if (key === 'span.op' || key === 'span.category') op = value.split('.', 1)[0]
    return key === undefined
  })
  const text = readName(rest.join(' ').replace(/^span\.description:/, 'transaction:'))
  return text === undefined ? undefined : { kind, op, text }
}

/** The words of a query; those in quotes are one. */
function splitWords(query: string): string[] {
  return query.split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/)
}

/** The part of a name that a query asks for; undefined for other queries. */
function readName(query: string): string | undefined {
  const words = splitWords(query).filter((word) => word !== '' && word !== 'event.type:transaction')
  const [word = '', ...others] = words
  if (others.length > 0) return undefined
  const [, named] = /^transaction:(.*)$/.exec(word) ?? []
  const text = (named ?? word).replaceAll(/^"|"$|^\*|\*$/g, '')
  return named === undefined && text.includes(':') ? undefined : text
}

/** Two statements. */
async function readTransactions(
  call: ApiCall,
  {
    projects,
    subject: { kind, op, text },
    since,
    until,
  }: { projects: readonly ProjectName[]; subject: TableSubject; since: number; until: number },
): Promise<CountedTransaction[]> {
  if (projects.length === 0) return []
  const { db } = call.services.store
  // Hours are kept for 30 days.
  const isShort = until - since <= 8 * dayMs
  const range = {
    projectIds: projects.map(({ id }) => id),
    series: kind === 'transaction' ? 'transaction' : 'group',
    step: isShort ? 'hour' : 'day',
    from: isShort ? hourOf(since) : dayOf(since),
    to: until,
  } as const
  const environments = new Set(call.url.searchParams.getAll('environment').filter((name) => name !== ''))
  const names = await listNames(db, {
    kind,
    range,
    op,
    text: text === '' ? undefined : text,
    limit: limits.figuresShown,
  })
  const nameIds = names.map(({ nameId }) => nameId)
  const rows = await readFigures(db, { ...range, nameIds, by: 'facet' })
  const sums = sumBy(
    // Spans are not counted by environment.
    environments.size === 0 || kind === 'span' ? rows : rows.filter(({ facet }) => environments.has(facet)),
    ({ projectId, nameId }) => `${projectId}:${nameId}`,
  )
  return names.flatMap((name) => {
    const project = projects.find(({ id }) => id === name.projectId)
    const own = sums.get(`${name.projectId}:${name.nameId}`)
    if (project === undefined || own === undefined) return []
    return { name, project, sums: own, lengthMs: Math.max(hourMs, until - since) }
  })
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
