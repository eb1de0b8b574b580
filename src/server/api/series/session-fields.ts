/** Counts of sessions or users. */
export interface SessionTotals {
  all: number
  errored: number
  abnormal: number
  crashed: number
  users: number
  crashedUsers: number
}

/** A figure computed from counts; null for a rate without data. */
export type SessionFigure = (rows: readonly SessionTotals[]) => number | null

const healthyOf = ({ all, errored, abnormal, crashed }: SessionTotals) => all - errored - abnormal - crashed

const allSessions: SessionFigure = (rows) => sum(rows, ({ all }) => all)
const crashRate: SessionFigure = (rows) =>
  share(
    sum(rows, ({ crashed }) => crashed),
    sum(rows, ({ all }) => all),
  )
const crashFreeRate: SessionFigure = (rows) =>
  share(
    sum(rows, ({ all, crashed }) => all - crashed),
    sum(rows, ({ all }) => all),
  )
const allUsers: SessionFigure = (rows) => sum(rows, ({ users }) => users)
const crashUserRate: SessionFigure = (rows) =>
  share(
    sum(rows, ({ crashedUsers }) => crashedUsers),
    sum(rows, ({ users }) => users),
  )
const crashFreeUserRate: SessionFigure = (rows) =>
  share(
    sum(rows, ({ users, crashedUsers }) => users - crashedUsers),
    sum(rows, ({ users }) => users),
  )

/** By Sentry's names for sessions, and by those of its older metrics. */
const fields: Record<string, SessionFigure> = {
  'sum(session)': allSessions,
  'crash_rate(session)': crashRate,
  'crash_free_rate(session)': crashFreeRate,
  'count_unique(user)': allUsers,
  'crash_rate(user)': crashUserRate,
  'crash_free_rate(user)': crashFreeUserRate,
  'session.all': allSessions,
  'session.healthy': (rows) => sum(rows, healthyOf),
  'session.errored': (rows) => sum(rows, ({ errored }) => errored),
  'session.abnormal': (rows) => sum(rows, ({ abnormal }) => abnormal),
  'session.crashed': (rows) => sum(rows, ({ crashed }) => crashed),
  'session.crash_rate': crashRate,
  'session.crash_free_rate': crashFreeRate,
  'count_unique(sentry.sessions.user)': allUsers,
  'session.crashed_user': (rows) => sum(rows, ({ crashedUsers }) => crashedUsers),
  'session.crash_user_rate': crashUserRate,
  'session.crash_free_user_rate': crashFreeUserRate,
}

/** The fields that can be grouped by session state. */
export const sessionCounts = ['sum(session)', 'session.all'] as const

/** The supported fields. Healthy users and unresponsive apps are not stored. */
export const sessionFieldNames = Object.keys(fields)

/** Returns the figure of a field; undefined for unknown names. */
export function findSessionField(name: string): SessionFigure | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** True for figures of users, which are counted per day. */
export function isUserField(name: string): boolean {
  return name.includes('user')
}

function sum(rows: readonly SessionTotals[], read: (row: SessionTotals) => number): number {
  return rows.reduce((total, row) => total + read(row), 0)
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
