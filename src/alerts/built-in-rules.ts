import type { AlertRule } from './rule.ts'

const personal = { isEnabled: true, filters: [], throttleMs: 0 } as const

/**
 * Rules that every project has, by the id in decisions: notifications of a single user, who gets none for
 * their own actions, and troubles of ingest, for owners and admins.
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

/** The rule that a new project begins with. */
export const defaultRule: AlertRule = {
  name: 'New and regressed issues',
  isEnabled: true,
  transitions: ['new', 'regressed'],
  filters: [],
  throttleMs: 0,
  actions: [{ kind: 'members' }],
}
