import * as v from 'valibot'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { issueQueryParameters } from '#server/api/issues/list.ts'
import { readPageSize } from '#server/api/project-scope.ts'
import { findLatestEventIds } from '#server/store/issues/counted-events.ts'
import { minuteMs } from '#time/time-steps.ts'
import {
  findIssueField,
  groupIssues,
  issueFieldNames,
  readCountedIssues,
  toFieldName,
  type CountedIssue,
} from './counted-issues.ts'
import { stepParameters } from './read-steps.ts'
import { answerSpanTable, answerTransactionTable, transactionFieldNames } from './transaction-table.ts'

const aggregates = ['count', 'epm', 'eps', 'last_seen'] as const
type Aggregate = (typeof aggregates)[number]

const cell = v.nullable(v.union([v.string(), v.number()]))
const tableAnswer = v.strictObject({
  data: v.array(v.record(v.string(), cell)),
  meta: v.strictObject({ fields: v.record(v.string(), v.string()) }),
})

/** Sentry's names of data that is not stored. */
const missingDatasets = new Set([
  'logs',
  'ourlogs',
  'tracemetrics',
  'replays',
  'profiles',
  'profileFunctions',
])

/** Issues with their events in a range, as a table. */
export const eventTableRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/events/',
  scope: 'event:read',
  summary:
    'Events of a time range as a table: a row for each issue, or for each group of issues with the same values.',
  query: {
    ...issueQueryParameters,
    start: stepParameters.start,
    end: stepParameters.end,
    statsPeriod: stepParameters.statsPeriod,
    field: `Repeated: \`id\` (the latest event), ${issueFieldNames.join(', ')}, count(), epm(), eps(), last_seen().`,
    sort: 'A field, with `-` for descending. Default: `-count()`.',
    per_page: 'Rows, up to 100.',
    dataset: `\`errors\` or \`discover\`; \`transactions\` or \`spans\` (their groups): ${transactionFieldNames.join(', ')}; other fields of \`spans\` have no rows.`,
  },
  answers: tableAnswer,
  handle: answerEventTable,
}

async function answerEventTable(call: ApiCall): Promise<ApiAnswer> {
  if (findMembership(call) === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const dataset = parameters.get('dataset') ?? ''
  if (dataset === 'transactions') return answerTransactionTable(call)
  if (dataset === 'spans') return answerSpanTable(call)
  if (missingDatasets.has(dataset))
    return errorAnswer(
      400,
      `Culvert stores no data for dataset=${dataset}: use errors, transactions or spans.`,
    )
  const names = parameters.getAll('field')
  const fields = names.length === 0 ? ['id', 'title', 'project', 'count()', 'last_seen()'] : names
  const unknown = fields.find((field) => !isKnown(field))
  if (unknown !== undefined)
    return errorAnswer(
      400,
      `Not supported as a field: "${unknown}". Fields are id, ${issueFieldNames.join(', ')}, ` +
        `${aggregates.map((name) => `${name}()`).join(', ')}.`,
    )
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const read = await readCountedIssues(call)
  if (!read.ok) return read.error
  const { issues, steps } = read.value
  const sort = parameters.get('sort') || '-count()'
  const sortName = toFieldName(sort)
  if (!fields.some((field) => toFieldName(field) === sortName) && sortName !== 'count')
    return errorAnswer(400, `sort is one of the requested fields, not "${sortName}".`)
  const hasId = fields.includes('id')
  const keys = fields.filter((field) => findIssueField(field) !== undefined)
  // If a request asks for the id, each issue has its own row.
  const groups = groupIssues(issues, hasId ? [...keys, 'issue.id'] : keys)
  const rows = groups
    .map((group) => ({ group, value: valueOf(sortName, group.issues, steps) }))
    .toSorted((one, other) => compare(one.value, other.value) * (sort.startsWith('-') ? -1 : 1))
    .slice(0, limit.value)
    .map(({ group }) => group)
  const latest = hasId
    ? await findLatestEventIds(
        call.services.store.db,
        rows.flatMap((group) => group.issues.map(({ key }) => key)),
      )
    : new Map<number, string>()
  const data = rows.map((group) =>
    Object.fromEntries(
      fields.map((field) => [
        field,
        field === 'id'
          ? (latest.get(group.issues[0]?.key.issueId ?? 0) ?? null)
          : valueOf(toFieldName(field), group.issues, steps),
      ]),
    ),
  )
  return answer({
    data,
    meta: { fields: Object.fromEntries(fields.map((field) => [field, typeOf(toFieldName(field))])) },
  })
}

function isKnown(field: string): boolean {
  const name = toFieldName(field)
  if (field.endsWith('()')) return isAggregate(name)
  return field === 'id' || findIssueField(field) !== undefined
}

function isAggregate(name: string): name is Aggregate {
  return aggregates.some((aggregate) => aggregate === name)
}

function valueOf(
  name: string,
  issues: readonly CountedIssue[],
  { since, until }: { since: number; until: number },
): string | number {
  const [first] = issues
  if (first === undefined) return 0
  const count = issues.reduce((sum, { eventCount }) => sum + eventCount, 0)
  if (!isAggregate(name)) return findIssueField(name)?.(first.issue) ?? ''
  const perMinute = (count / (until - since)) * minuteMs
  const values: Record<Aggregate, string | number> = {
    count,
    epm: perMinute,
    eps: perMinute / 60,
    last_seen: new Date(Math.max(...issues.map(({ issue }) => issue.lastSeenAt))).toISOString(),
  }
  return values[name]
}

function typeOf(name: string): string {
  if (name === 'last_seen') return 'date'
  if (name === 'count') return 'integer'
  return name === 'epm' || name === 'eps' ? 'rate' : 'string'
}

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
