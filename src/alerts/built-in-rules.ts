import type { AlertAction, AlertRule } from './rule.ts'

type GroupReceiver = Exclude<AlertAction['kind'], 'destination' | 'person'>

function notify(kind: GroupReceiver, name: string, transitions: AlertRule['transitions']): AlertRule {
  return { name, isEnabled: true, transitions, filters: [], throttleMs: 0, actions: [{ kind }] }
}

/**
 * Rules that every project has, by their id in decisions: notifications of a single user, except of their own
 * actions, and ingest problems, for owners and admins.
 */
export const builtInRules: ReadonlyMap<string, AlertRule> = new Map([
  ['assigned', notify('assignee', 'Assigned', ['assigned'])],
  ['comments', notify('participants', 'Comments', ['comment'])],
  ['mentions', notify('mentioned', 'Mentions', ['mention'])],
  ['recovered', notify('participants', 'Recovered monitors', ['recovered'])],
  ['trouble', notify('admins', 'Ingest problem', ['trouble', 'trouble_over'])],
])

/** The rule of a new project. */
export const defaultRule = notify('members', 'New and regressed issues', ['new', 'regressed'])
