/** Counts of sessions or users. */
export interface SessionTotals {
  all: number
  errored: number
  abnormal: number
  crashed: number
  users: number
  crashedUsers: number
}

/** A figure of counts; null for a rate of nothing. */
type Figure = (rows: readonly SessionTotals[]) => number | null

const healthyOf = ({ all, errored, abnormal, crashed }: SessionTotals) => all - errored - abnormal - crashed

const fields: Record<string, Figure> = {
  'session.all': (rows) => sum(rows, ({ all }) => all),
  'session.healthy': (rows) => sum(rows, healthyOf),
  'session.errored': (rows) => sum(rows, ({ errored }) => errored),
  'session.abnormal': (rows) => sum(rows, ({ abnormal }) => abnormal),
  'session.crashed': (rows) => sum(rows, ({ crashed }) => crashed),
  'session.crash_rate': (rows) =>
    share(
      sum(rows, ({ crashed }) => crashed),
      sum(rows, ({ all }) => all),
    ),
  'session.crash_free_rate': (rows) =>
    share(
      sum(rows, ({ all, crashed }) => all - crashed),
      sum(rows, ({ all }) => all),
    ),
  'count_unique(sentry.sessions.user)': (rows) => sum(rows, ({ users }) => users),
  'session.crashed_user': (rows) => sum(rows, ({ crashedUsers }) => crashedUsers),
  'session.crash_user_rate': (rows) =>
    share(
      sum(rows, ({ crashedUsers }) => crashedUsers),
      sum(rows, ({ users }) => users),
    ),
  'session.crash_free_user_rate': (rows) =>
    share(
      sum(rows, ({ users, crashedUsers }) => users - crashedUsers),
      sum(rows, ({ users }) => users),
    ),
}

/** The supported fields. Whether a user was healthy, and unresponsive apps, are not stored. */
export const sessionFieldNames = Object.keys(fields)

/** Returns the figure of a field; undefined for unknown names. */
export function findSessionField(name: string): Figure | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** True for figures of users, which are counted by the day. */
export function isUserField(name: string): boolean {
  return name.includes('user')
}

function sum(rows: readonly SessionTotals[], read: (row: SessionTotals) => number): number {
  return rows.reduce((total, row) => total + read(row), 0)
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
