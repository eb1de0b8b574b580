import type { AlertRule } from '#alerts/rule.ts'

/** A rule that sends an alert to all members about each new issue, and other fields. */
export function makeAlertRule(fields: Partial<AlertRule> = {}): AlertRule {
  return {
    name: 'New',
    isEnabled: true,
    transitions: ['new'],
    filters: [],
    throttleMs: 0,
    actions: [{ kind: 'members' }],
    ...fields,
  }
}
