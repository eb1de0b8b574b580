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

/** A transaction in a range. */
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

/** The figure of a transaction by the name of its field, without `transaction.duration` in parentheses. */
const cells: Readonly<Record<string, { type: string; read: ReadCell }>> = {
  transaction: { type: 'string', read: ({ name }) => name.name },
  'transaction.op': { type: 'string', read: ({ name }) => name.op },
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

/** The fields of transactions, for the document. */
export const transactionFieldNames = Object.keys(cells)

function findCell(field: string) {
  const name = field.replace(/\((?:transaction\.duration|300)\)$/, '()')
  return Object.hasOwn(cells, name) ? cells[name] : undefined
}

/** Transactions with their figures, those with most time first unless `sort` names a field. */
export async function answerTransactionTable(call: ApiCall): Promise<ApiAnswer> {
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
  const text = readName(parameters.get('query') ?? '')
  if (text === undefined)
    return errorAnswer(400, 'The query of transactions is a part of their name: transaction:checkout.')
  const steps = readSteps(call)
  if (!steps.ok) return steps.error
  const counted = await readTransactions(call, { projects: scope.projects, text, ...steps.value })
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

/** The part of a name that a query asks for; undefined for other queries. */
function readName(query: string): string | undefined {
  const words = query
    .split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .filter((word) => word !== '' && word !== 'event.type:transaction')
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
    text,
    since,
    until,
  }: { projects: readonly ProjectName[]; text: string; since: number; until: number },
): Promise<CountedTransaction[]> {
  if (projects.length === 0) return []
  const { db } = call.services.store
  // Hours are kept for 30 days.
  const isShort = until - since <= 8 * dayMs
  const range = {
    projectIds: projects.map(({ id }) => id),
    series: 'transaction',
    step: isShort ? 'hour' : 'day',
    from: isShort ? hourOf(since) : dayOf(since),
    to: until,
  } as const
  const environments = new Set(call.url.searchParams.getAll('environment').filter((name) => name !== ''))
  const names = await listNames(db, {
    kind: 'transaction',
    range,
    text: text === '' ? undefined : text,
    limit: limits.figuresShown,
  })
  const nameIds = names.map(({ nameId }) => nameId)
  const rows = await readFigures(db, { ...range, nameIds, by: 'facet' })
  const sums = sumBy(
    environments.size === 0 ? rows : rows.filter(({ facet }) => environments.has(facet)),
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
