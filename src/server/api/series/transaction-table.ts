import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { limits } from '#server/limits.ts'
import { listNames, readFigures, sumBy } from '#server/store/figures/read-figures.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { hourMs } from '#time/time-steps.ts'
import { readApdexThresholds } from './apdex-thresholds.ts'
import {
  figureNames,
  findFigure,
  findSubjectField,
  subjectFieldNames,
  type CountedRange,
  type NamedSubject,
} from './figure-cells.ts'
import { readFigureSubject, toFigureRange, unreadableSubject, type FigureSubject } from './figure-subject.ts'
import { readSteps } from './read-steps.ts'

/** A row: a transaction, or a group of spans, in the range. */
type CountedSubject = NamedSubject & CountedRange

/** The fields of both tables, for the OpenAPI document. */
export const transactionFieldNames = [...subjectFieldNames, ...figureNames]

/** Transactions with their figures, largest total time first unless `sort` names a field. */
export function answerTransactionTable(call: ApiCall): Promise<ApiAnswer> {
  return answerTable(call, readFigureSubject('transactions', call.url.searchParams.get('query') ?? ''))
}

/**
 * Groups of spans with their figures, or transactions if the query contains `is_transaction:true`. The
 * default fields of Grafana's data source include `id`, which is empty for a group. Single spans are not
 * searchable: a table with other span fields has no rows, so that a panel is empty instead of broken.
 */
export function answerSpanTable(call: ApiCall): Promise<ApiAnswer> {
  const fields = call.url.searchParams.getAll('field')
  if (fields.every((field) => field === 'id') || !fields.every(findCell))
    return Promise.resolve(answer({ data: [], meta: { fields: {} } }))
  return answerTable(call, readFigureSubject('spans', call.url.searchParams.get('query') ?? ''))
}

/** Answers 400 without a subject. */
async function answerTable(call: ApiCall, subject: FigureSubject | undefined): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const names = parameters.getAll('field')
  const fields = names.length === 0 ? ['transaction', 'project', 'count()', 'p95()'] : names
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
  if (subject === undefined) return unreadableSubject
  const steps = readSteps(call)
  if (!steps.ok) return steps.error
  const counted = await readTransactions(call, {
    projects: scope.projects,
    subject,
    fields: [...fields, sortField],
    ...steps.value,
  })
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

/** Two statements, and a third one if a field depends on the settings of the projects. */
async function readTransactions(
  call: ApiCall,
  {
    projects,
    subject: { kind, op, text },
    fields,
    since,
    until,
  }: {
    projects: readonly ProjectName[]
    subject: FigureSubject
    fields: readonly string[]
    since: number
    until: number
  },
): Promise<CountedSubject[]> {
  if (projects.length === 0) return []
  const { db } = call.services.store
  const projectIds = projects.map(({ id }) => id)
  const range = toFigureRange(call, { kind, projectIds, since, until })
  const findApdexMs = await readApdexThresholds(db, { projectIds, fields })
  const names = await listNames(db, {
    kind,
    range,
    op,
    text: text === '' ? undefined : text,
    limit: limits.figuresShown,
  })
  const rows = await readFigures(db, { ...range, nameIds: names.map(({ nameId }) => nameId), by: 'name' })
  const sums = sumBy(rows, ({ projectId, nameId }) => `${projectId}:${nameId}`)
  return names.flatMap((name) => {
    const project = projects.find(({ id }) => id === name.projectId)
    const own = sums.get(`${name.projectId}:${name.nameId}`)
    if (project === undefined || own === undefined) return []
    const lengthMs = Math.max(hourMs, until - since)
    return { name, project, sums: own, lengthMs, apdexMs: findApdexMs([project.id]) }
  })
}

function findCell(
  field: string,
): { type: string; read: (row: CountedSubject) => string | number } | undefined {
  if (field === 'id') return { type: 'string', read: () => '' }
  const read = findSubjectField(field)
  if (read === undefined) return findFigure(field)
  return { type: field === 'project.id' ? 'integer' : 'string', read }
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
