import type { AlertRule } from './rule.ts'

const personal = { isEnabled: true, filters: [], throttleMs: 0 } as const

/**
 * Rules that every project has, by their id in decisions: notifications of a single user, except of their own
 * actions, and ingest problems, for owners and admins.
 */
export const builtInRules: ReadonlyMap<string, AlertRule> = new Map([
  [
    'assigned',
    {
      ...personal,
      name: 'Assigned',
      filters: [],
      transitions: ['assigned'],
      actions: [{ kind: 'assignee' }],
    },
  ],
  [
    'comments',
    {
      ...personal,
      name: 'Comments',
      filters: [],
      transitions: ['comment'],
      actions: [{ kind: 'participants' }],
    },
  ],
  [
    'mentions',
    {
      ...personal,
      name: 'Mentions',
      filters: [],
      transitions: ['mention'],
      actions: [{ kind: 'mentioned' }],
    },
  ],
  [
    'recovered',
    {
      ...personal,
      name: 'Recovered monitors',
      filters: [],
      transitions: ['recovered'],
      actions: [{ kind: 'participants' }],
    },
  ],
  [
    'trouble',
    {
      ...personal,
      name: 'Ingest problem',
      filters: [],
      transitions: ['trouble', 'trouble_over'],
      actions: [{ kind: 'admins' }],
    },
  ],
])

/** The rule of a new project. */
export const defaultRule: AlertRule = {
  name: 'New and regressed issues',
  isEnabled: true,
  transitions: ['new', 'regressed'],
  filters: [],
  throttleMs: 0,
  actions: [{ kind: 'members' }],
}
