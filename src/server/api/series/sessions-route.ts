import * as v from 'valibot'
import { anyText, count, instant } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { listSessionSteps, listUserSteps } from '#server/store/sessions/steps.ts'
import { dayMs } from '#time/time-steps.ts'
import { readSteps, stepParameters, toIntervals } from './read-steps.ts'
import { findSessionField, isUserField, sessionFieldNames, type SessionTotals } from './session-fields.ts'

const groupings = ['release', 'environment', 'project', 'session.status'] as const
type Grouping = (typeof groupings)[number]

const figure = v.nullable(v.number())
const sessionsAnswer = v.strictObject({
  start: instant,
  end: instant,
  intervals: v.array(instant),
  groups: v.array(
    v.strictObject({
      by: v.record(v.string(), v.union([anyText, count])),
      totals: v.record(v.string(), figure),
      series: v.record(v.string(), v.array(figure)),
    }),
  ),
})

/** Sessions over time. */
export const sessionsRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/metrics/data/',
  scope: 'project:read',
  summary: 'Sessions over time: counts and crash-free rates.',
  query: {
    ...stepParameters,
    field: `${sessionFieldNames.join(', ')}. Fields of users are counted by the day. Left out: \`session.all\`.`,
    groupBy: '`release`, `environment`, `project`, or with `session.all` `session.status`.',
    query: '`release:VERSION` and `environment:NAME`.',
    orderBy: 'The field or the grouping, with `-` for the largest first. Left out: the largest first.',
    per_page: 'Groups, up to 100.',
    project: 'A project’s id or slug, repeated; -1: all.',
    environment: 'An environment’s name, repeated.',
  },
  answers: sessionsAnswer,
  handle: answerSessions,
}

async function answerSessions(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const parameters = call.url.searchParams
  const field = parameters.get('field') || 'session.all'
  const toFigure = findSessionField(field)
  if (toFigure === undefined)
    return errorAnswer(400, `field is ${sessionFieldNames.join(', ')}, not "${field}".`)
  const groupBy = parameters.get('groupBy') ?? ''
  if (groupBy !== '' && !isGrouping(groupBy))
    return errorAnswer(400, `groupBy is ${groupings.join(', ')}, not "${groupBy}".`)
  if (groupBy === 'session.status' && field !== 'session.all')
    return errorAnswer(400, 'session.status groups session.all and no other field.')
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const steps = readSteps(call, isUserField(field) ? dayMs : undefined)
  if (!steps.ok) return steps.error
  const filter = readFilter(parameters)
  if (filter === undefined) return errorAnswer(400, 'query is release:VERSION and environment:NAME.')
  const query = { projectIds: scope.projectIds, ...steps.value, ...filter }
  const { db } = call.services.store
  const rows = isUserField(field)
    ? (await listUserSteps(db, query)).map((row) => Object.assign(row, noSessions))
    : (await listSessionSteps(db, query)).map((row) => Object.assign(row, noUsers))
  const groups =
    groupBy === 'session.status'
      ? states.map(([status, read]) => ({ by: { 'session.status': status }, rows, read }))
      : [...Map.groupBy(rows, (row) => (groupBy === '' ? '' : row[groupBy])).entries()].map(
          ([value, members]) => ({
            by: groupBy === '' ? {} : { [groupBy]: value },
            rows: members,
            read: toFigure,
          }),
        )
  const { since, until, stepMs, stepCount } = steps.value
  const orderBy = parameters.get('orderBy') || '-'
  const direction = orderBy.startsWith('-') ? -1 : 1
  // By the name of the group, or by the figure.
  const isByName = groupBy !== '' && orderBy.replace('-', '') === groupBy
  return answer({
    start: new Date(since).toISOString(),
    end: new Date(until).toISOString(),
    intervals: toIntervals(steps.value),
    groups: groups
      .map((group) => {
        const byStep = Map.groupBy(group.rows, ({ startAt }) => Math.floor((startAt - since) / stepMs))
        const series = Array.from({ length: stepCount }, (_, step) => group.read(byStep.get(step) ?? []))
        return { by: group.by, totals: { [field]: group.read(group.rows) }, series: { [field]: series } }
      })
      .toSorted((one, other) => {
        const order = isByName
          ? String(Object.values(one.by)[0]).localeCompare(String(Object.values(other.by)[0]))
          : (one.totals[field] ?? 0) - (other.totals[field] ?? 0)
        return order * direction
      })
      .slice(0, limit.value),
  })
}

const noUsers = { users: 0, crashedUsers: 0 }
const noSessions = { all: 0, errored: 0, abnormal: 0, crashed: 0 }

/** The states of sessions under Sentry's names. */
const states: readonly [status: string, read: (rows: readonly SessionTotals[]) => number | null][] = [
  'healthy',
  'errored',
  'abnormal',
  'crashed',
].flatMap((status) => {
  const read = findSessionField(`session.${status}`)
  return read === undefined ? [] : [[status, read]]
})

function isGrouping(name: string): name is Grouping {
  return groupings.some((grouping) => grouping === name)
}

/** The environments and versions of `environment` and `query`; undefined if `query` has anything else. */
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
