import * as v from 'valibot'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { listSessionSteps, listUserSteps } from '#server/store/sessions/steps.ts'
import { dayMs } from '#time/time-steps.ts'
import { groupedSeries } from './grouped-series.ts'
import { readSteps, stepParameters, toIntervals } from './read-steps.ts'
import {
  findSessionField,
  isUserField,
  sessionCounts,
  sessionFieldNames,
  type SessionFigure,
  type SessionTotals,
} from './session-fields.ts'

const groupings = ['release', 'environment', 'project', 'session.status'] as const
type Grouping = (typeof groupings)[number]

const sessionsParameters: ApiRoute['query'] = {
  ...stepParameters,
  field: `Repeated: ${sessionFieldNames.join(', ')}. Users are counted per day. Default: \`sum(session)\`.`,
  groupBy:
    '`release`, `environment` and `project`, repeated, and with the number of sessions `session.status`.',
  query: '`release:VERSION` and `environment:NAME`.',
  orderBy: 'A field or a grouping, with `-` for descending. Default: the largest first.',
  per_page: 'Groups, up to 100.',
  includeSeries: '`0`: without series.',
  includeTotals: '`0`: without totals.',
  project: 'A project’s id or slug, repeated; -1: all.',
  environment: 'An environment’s name, repeated.',
}

/** Sessions over time. */
export const sessionsRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/sessions/',
  scope: 'project:read',
  summary: 'Sessions over time: counts and crash-free rates.',
  query: sessionsParameters,
  answers: groupedSeries(v.nullable(v.number())),
  handle: answerSessions,
}

/** Sessions over time, at the path that older clients use. */
export const sessionMetricsRoute: ApiRoute = {
  ...sessionsRoute,
  path: '/organizations/{org}/metrics/data/',
  summary: 'Sessions over time, under an older path.',
}

/** The parsed parameters of a request. */
interface SessionsQuery {
  fields: readonly string[]
  groupBy: readonly Grouping[]
  /** A field or a grouping. */
  orderBy: string
  direction: 1 | -1
}

async function answerSessions(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const { searchParams } = call.url
  const requested = readSessionsQuery(searchParams)
  if (!requested.ok) return requested.error
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const { fields, groupBy, orderBy, direction } = requested.value
  const counted = [...fields, orderBy]
  const hasUsers = counted.some(isUserField)
  const steps = readSteps(call, hasUsers ? dayMs : undefined)
  if (!steps.ok) return steps.error
  const filter = readFilter(searchParams)
  if (filter === undefined) return errorAnswer(400, 'query is release:VERSION and environment:NAME.')
  const chosen = { projectIds: scope.projectIds, ...steps.value, ...filter }
  const { db } = call.services.store
  const [sessions, users] = await Promise.all([
    counted.every(isUserField) ? [] : listSessionSteps(db, chosen),
    hasUsers ? listUserSteps(db, chosen) : [],
  ])
  const rows = [
    ...sessions.map((row) => Object.assign(row, noUsers)),
    ...users.map((row) => Object.assign(row, noSessions)),
  ]
  const { since, until, stepMs, stepCount } = steps.value
  const toSeries = (figure: SessionFigure, members: typeof rows) => {
    const byStep = Map.groupBy(members, ({ startAt }) => Math.floor((startAt - since) / stepMs))
    return Array.from({ length: stepCount }, (_, step) => figure(byStep.get(step) ?? []))
  }
  const isShown = (parameter: string) => searchParams.get(parameter) !== '0'
  const groups = groupSessions(rows, groupBy).map(({ by, members, status }) => {
    const figureOf = (field: string) => status ?? findSessionField(field) ?? (() => null)
    const record = <Value>(read: (figure: SessionFigure) => Value) =>
      Object.fromEntries(fields.map((field) => [field, read(figureOf(field))]))
    return {
      order: by[orderBy] ?? figureOf(orderBy)(members) ?? 0,
      group: {
        by,
        totals: isShown('includeTotals') ? record((figure) => figure(members)) : {},
        series: isShown('includeSeries') ? record((figure) => toSeries(figure, members)) : {},
      },
    }
  })
  return answer({
    start: new Date(since).toISOString(),
    end: new Date(until).toISOString(),
    intervals: toIntervals(steps.value),
    groups: groups
      .toSorted((one, other) => compare(one.order, other.order) * direction)
      .slice(0, limit.value)
      .map(({ group }) => group),
  })
}

/** Sessions and users of a step, a release, an environment and a project. */
type CountedRow = SessionTotals & Record<Exclude<Grouping, 'session.status'>, string | number>

interface SessionGroup<Row> {
  by: Record<string, string | number>
  members: Row[]
  /** The figure for the state, if grouped by state. */
  status?: SessionFigure
}

function groupSessions<Row extends CountedRow>(
  rows: readonly Row[],
  groupBy: readonly Grouping[],
): SessionGroup<Row>[] {
  const columns = groupBy.filter((name) => name !== 'session.status')
  const groups = Map.groupBy(rows, (row) => JSON.stringify(columns.map((name) => row[name])))
  return [...groups.values()].flatMap((members): SessionGroup<Row>[] => {
    const by = Object.fromEntries(columns.map((name) => [name, members[0]?.[name] ?? '']))
    if (!groupBy.includes('session.status')) return [{ by, members }]
    return states.map(([status, figure]) => ({
      by: { ...by, 'session.status': status },
      members,
      status: figure,
    }))
  })
}

function reject(detail: string): { ok: false; error: ApiAnswer } {
  return { ok: false, error: errorAnswer(400, detail) }
}

function isSessionCount(field: string): boolean {
  return sessionCounts.some((name) => name === field)
}

/** Rejects unknown fields, groupings and orders. */
function readSessionsQuery(parameters: URLSearchParams): ReadParameters<SessionsQuery> {
  const named = parameters.getAll('field').filter((name) => name !== '')
  const fields = named.length === 0 ? [sessionCounts[0]] : named
  const unknown = fields.find((name) => findSessionField(name) === undefined)
  if (unknown !== undefined) return reject(`field is ${sessionFieldNames.join(', ')}, not "${unknown}".`)
  const names = parameters.getAll('groupBy').filter((name) => name !== '')
  const groupBy = names.filter(isGrouping)
  const unknownGrouping = names.find((name) => !isGrouping(name))
  if (unknownGrouping !== undefined)
    return reject(`groupBy is ${groupings.join(', ')}, not "${unknownGrouping}".`)
  if (groupBy.includes('session.status') && !fields.every(isSessionCount))
    return reject(`session.status groups ${sessionCounts.join(' and ')}, and no other field.`)
  const order = parameters.get('orderBy') || '-'
  const orderBy = order.replace(/^-/, '') || String(fields[0])
  if (!names.includes(orderBy) && findSessionField(orderBy) === undefined)
    return reject(`orderBy is one of groupBy or ${sessionFieldNames.join(', ')}, not "${orderBy}".`)
  return { ok: true, value: { fields, groupBy, orderBy, direction: order.startsWith('-') ? -1 : 1 } }
}

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en')
}

const noUsers = { users: 0, crashedUsers: 0 }
const noSessions = { all: 0, errored: 0, abnormal: 0, crashed: 0 }

/** The states of sessions under Sentry's names. */
const states: readonly [status: string, figure: SessionFigure][] = [
  'healthy',
  'errored',
  'abnormal',
  'crashed',
].flatMap((status) => {
  const figure = findSessionField(`session.${status}`)
  return figure === undefined ? [] : [[status, figure]]
})

function isGrouping(name: string): name is Grouping {
  return groupings.some((grouping) => grouping === name)
}

/** The environments and versions in `environment` and `query`; undefined if `query` has anything else. */
function readFilter(parameters: URLSearchParams): { environments: string[]; versions: string[] } | undefined {
  const environments = parameters.getAll('environment').filter((name) => name !== '')
  const versions: string[] = []
  const query = (parameters.get('query') ?? '').trim()
  const words = query.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
  for (const word of words) {
    const [, key, quoted, plain] = /^(release|environment):(?:"([^"]+)"|([^\s"]+))$/.exec(word) ?? []
    const value = quoted ?? plain
    if (value === undefined) return undefined
    if (key === 'release') versions.push(value)
    else environments.push(value)
  }
  return { environments, versions }
}
