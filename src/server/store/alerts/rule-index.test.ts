import { expect, it } from 'vitest'
import { isMatch, type AlertCase, type AlertSubject } from '#alerts/decide.ts'
import type { AlertFilter, AlertRule } from '#alerts/rule.ts'
import { hourMs } from '#time/time-steps.ts'
import { createRuleIndex } from './rule-index.ts'
import type { StoredRule } from './rules.ts'

const now = Date.UTC(2026, 10, 26)

/** Numbers below a bound, the same in each run. */
function createDice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

const filters: AlertFilter[] = [
  { kind: 'environment', is: true, value: 'production' },
  { kind: 'environment', is: false, value: 'staging' },
  { kind: 'release', is: true, value: 'web@1' },
  { kind: 'level', atLeast: 'error' },
  { kind: 'assigned', is: false },
  { kind: 'assignee', is: true, id: 'ada' },
  { kind: 'tag', is: true, key: 'browser', value: 'Firefox' },
  { kind: 'path', is: true, value: 'checkout' },
  { kind: 'text', is: false, value: 'TIMEOUT' },
  { kind: 'age', than: 'newer', ms: hourMs },
]

it('finds the rules that match, each once, for random rules and transitions', () => {
  const roll = createDice(7)
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[roll(values.length)] ?? values[0]
  const rules = Array.from({ length: 200 }, (_, at): StoredRule => {
    const rule: AlertRule = {
      name: `Rule ${at}`,
      isEnabled: roll(10) > 0,
      transitions: [pick(['new', 'regressed', 'comment'])],
      filters: filters.filter(() => roll(6) === 0),
      throttleMs: pick([0, hourMs]),
      actions: [{ kind: 'destination', id: pick(['ops', 'team']) }],
    }
    return { id: `rule-${at}`, organizationId: 1, createdAt: 0, rule }
  })
  const index = createRuleIndex(rules)
  const found: number[] = []
  for (let at = 0; at < 1_000; at += 1) {
    const subject: AlertSubject = {
      title: pick(['Error', 'Timeout of a request']),
      culprit: '',
      level: pick(['fatal', 'warning']),
      firstSeenAt: now - pick([1, 2 * hourMs]),
      environments: [[], ['production'], ['production', 'staging']][roll(3)] ?? [],
      release: pick(['web@1', 'web@2']),
      tags: { browser: pick(['Firefox', 'Safari']) },
      path: pick(['src/checkout/pay.ts', 'src/cart.ts']),
      ...pick([
        { isAssigned: false, assigneeId: null },
        { isAssigned: true, assigneeId: 'ada' },
      ]),
    }
    const of: Pick<AlertCase, 'transition' | 'subject' | 'now'> = {
      transition: pick(['new', 'regressed', 'comment']),
      subject,
      now,
    }
    const classes = index.listMatching(of)
    const ids = classes.flatMap(({ ruleIds }) => ruleIds)
    expect(ids.toSorted()).toEqual(
      rules.flatMap(({ id, rule }) => (isMatch(rule, of) ? [id] : [])).toSorted(),
    )
    found.push(ids.length)
    for (const { rules: alike } of classes)
      expect(
        new Set(
          alike.map(({ rule }) => `${rule.throttleMs} ${rule.isEnabled} ${JSON.stringify(rule.actions)}`),
        ).size,
      ).toBe(1)
  }
  expect(Math.max(...found)).toBeGreaterThan(10)
})
