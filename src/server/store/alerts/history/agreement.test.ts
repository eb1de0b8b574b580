import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AlertFilter, AlertRule } from '#alerts/rule.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordAlertMute } from '#server/store/alerts/mutes.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { startSystemAction } from '#server/store/triage/activity.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import { changeState, selectIssues, type IssueSelection } from '#server/store/triage/changed-issues.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { openAlertStore } from '#test/alert-store.ts'
import { listDecisions } from '#test/decisions.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, testId, testNow, testProjectIds, entryOf } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { dryRunRule } from './dry-run.ts'
import { explainRules } from './explanation.ts'

const people = ['ada', 'bob', 'eve']
const organizationId = 1

const lastingFilters = fc.constantFrom<AlertFilter[]>(
  { kind: 'level', atLeast: 'error' },
  { kind: 'tag', is: true, key: 'browser', value: 'Firefox' },
  { kind: 'tag', is: false, key: 'browser', value: 'Firefox' },
  { kind: 'path', is: true, value: 'checkout' },
  { kind: 'path', is: false, value: 'checkout' },
  { kind: 'environment', is: false, value: 'staging' },
  { kind: 'release', is: true, value: 'web@1' },
  { kind: 'text', is: true, value: 'group a' },
  { kind: 'age', than: 'older', ms: 30 * minuteMs },
)
const changingFilters = fc.constantFrom<AlertFilter[]>(
  { kind: 'assigned', is: true },
  { kind: 'assignee', is: false, id: 'bob' },
)
const lastingActions = fc.constantFrom<AlertRule['actions']>(
  { kind: 'destination', id: 'ops' },
  { kind: 'destination', id: 'deleted' },
  { kind: 'members' },
  { kind: 'admins' },
  { kind: 'person', id: 'ada' },
  { kind: 'person', id: 'gone' },
)
const changingActions = fc.constantFrom<AlertRule['actions']>(
  { kind: 'assignee' },
  { kind: 'participants' },
  { kind: 'mentioned' },
)

const anyRule = (
  filter: fc.Arbitrary<AlertFilter>,
  action: fc.Arbitrary<AlertRule['actions'][number]>,
): fc.Arbitrary<AlertRule> =>
  fc.record({
    name: fc.constant('Random'),
    isEnabled: fc.constantFrom(true, true, true, false),
    // A comment that mentions a user is two transitions at once.
    transitions: fc
      .tuple(
        fc.subarray<AlertRule['transitions'][number]>(
          ['new', 'regressed', 'unarchived', 'assigned', 'recovered'],
          {
            minLength: 2,
          },
        ),
        fc.constantFrom<AlertRule['transitions'][number][]>('comment', 'mention'),
      )
      .map(([changes, spoken]) => changes.concat(spoken)),
    filters: fc.array(filter, { maxLength: 1 }),
    throttleMs: fc.constantFrom(0, 20 * minuteMs, 2 * hourMs),
    quietHours: fc.constantFrom<AlertRule['quietHours'][]>(
      undefined,
      { from: '12:00', to: '13:30', timeZone: 'UTC', lettingFatal: true },
      { from: '14:30', to: '13:30', timeZone: 'Europe/Berlin', lettingFatal: false },
    ),
    actions: fc.uniqueArray(action, { minLength: 1, maxLength: 2 }),
  })

const anyStep = fc.record({
  issue: fc.constantFrom('a', 'b', 'c'),
  does: fc.constantFrom(
    'event',
    'event',
    'comment',
    'assign',
    'unassign',
    'resolve',
    'recover',
    'archive',
    'reopen',
  ),
  by: fc.constantFrom(...people),
  waitMs: fc.constantFrom(1, minuteMs, 11 * minuteMs, 25 * minuteMs, 50 * minuteMs),
})
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

const anyMute = fc.record({ rule: fc.nat(2), atStep: fc.nat(8), hours: fc.integer({ min: 1, max: 3 }) })

/** A store with rules, and what happens in it to three issues. */
async function openHistory(rules: readonly AlertRule[]) {
  const time = { now: testNow }
  const users = people.map((userId) => ({ userId, role: userId === 'eve' ? 'admin' : 'member' }))
  const { store, ruleIds } = await openAlertStore({ clock: () => time.now, users, rules })
  const committer = createCommitter(store)
  let sent = 0
  const receive = async (issue: string) => {
    sent += 1
    const event = makeEventRecord({
      eventId: testId(`event ${sent}`),
      groupHash: testId(issue),
      title: `Error of group ${issue}`,
      level: issue === 'a' ? 'fatal' : issue === 'b' ? 'error' : 'info',
      release: issue === 'c' ? 'web@2' : 'web@1',
      tags: issue === 'b' ? [] : [['browser', 'Firefox']],
      traits: `stack.filename\tsrc/${issue === 'a' ? 'checkout' : 'cart'}/pay.ts`,
      occurredAt: time.now,
      receivedAt: time.now,
    })
    await committer.commit(entryOf(event))
    await committer.drain()
  }
  const recover = (selection: IssueSelection) =>
    store.writer.transaction().execute(async (tx) => {
      const event = { kind: 'resolve', at: time.now, condition: null, isRecovery: true } as const
      for (const issue of await selectIssues(tx, selection))
        await changeState(tx, startSystemAction(time.now), { issue, event })
    })
  const act = async ({ issue, does, by: userId }: Step) => {
    const issueId = issueIdCandidate(1, testId(issue), 0)
    const selection = { issueIds: [issueId], projectIds: testProjectIds }
    const actor = { userId, at: time.now }
    if (does === 'event') await receive(issue)
    if (does === 'comment')
      await recordComment(store, { issueId, projectIds: testProjectIds }, { ...actor, text: 'Hm @bob' })
    if (does === 'assign') await recordAssignee(store, selection, { ...actor, assigneeId: userId })
    if (does === 'unassign') await recordAssignee(store, selection, { ...actor, assigneeId: null })
    if (does === 'resolve')
      await recordIssueStatus(store, selection, { ...actor, change: { status: 'resolved' } })
    if (does === 'recover') await recover(selection)
    if (does === 'archive')
      await recordIssueStatus(store, selection, {
        ...actor,
        change: { status: 'archived', until: { moreEvents: 1 } },
      })
    if (does === 'reopen')
      await recordIssueStatus(store, selection, { ...actor, change: { status: 'unresolved' } })
    return issueId
  }
  return {
    store,
    time,
    ruleIds,
    act,
    mute: (ruleId: string, hours: number) =>
      recordAlertMute(store, {
        organizationId,
        ruleId,
        userId: 'ada',
        name: 'Deploy',
        until: time.now + hours * hourMs,
      }),
    decide: async () => {
      while ((await decideWaitingAlerts(store, { now: time.now, hasMail: true })) > 0);
    },
    ledger: () => listDecisions(store.db),
  }
}

/** The seed is fixed, so that every result occurs each time. */
const asserting = { numRuns: onPostgres ? 4 : 20, seed: 18 }
const history = fc.record({
  steps: fc.array(anyStep, { minLength: 8, maxLength: 12 }),
  // A second mute of a rule replaces the first one.
  mutes: fc.uniqueArray(anyMute, { maxLength: 2, selector: ({ rule }) => rule }),
})

it('a dry run has the counts of the ledger, for random rules and histories', async () => {
  const rules = fc.array(anyRule(lastingFilters, lastingActions), { minLength: 3, maxLength: 3 })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(rules, history, async (of, { steps, mutes }) => {
      const { store, time, ruleIds, act, mute, decide, ledger } = await openHistory(of)
      for (const [at, step] of steps.entries()) {
        time.now += step.waitMs
        for (const each of mutes) if (each.atStep === at) await mute(ruleIds[each.rule] ?? '', each.hours)
        await act(step)
        await decide()
      }
      const rows = await ledger()
      for (const [at, id] of ruleIds.entries()) {
        const rule = of[at]
        if (rule === undefined) continue
        const results = rows.filter((row) => row.ruleId === id).map(({ result }) => result)
        for (const result of results) seen.add(result)
        const countOf = (...kinds: string[]) => results.filter((each) => kinds.includes(each)).length
        const run = await dryRunRule(store.db, {
          rule: { id, rule },
          organizationId,
          projectIds: [1],
          now: time.now,
        })
        expect(run).toMatchObject({
          sentCount: countOf('sent'),
          heldCount: countOf('throttled', 'quiet_hours', 'muted'),
          unreceivedCount: countOf('no_receiver'),
        })
      }
    }),
    asserting,
  )
  expectEveryResult(seen)
})

it('the explanation of an issue equals the next entry of the ledger, for random rules and histories', async () => {
  const filters = fc.oneof(lastingFilters, changingFilters)
  const rules = fc.array(anyRule(filters, fc.oneof(lastingActions, changingActions)), {
    minLength: 3,
    maxLength: 3,
  })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(rules, history, async (of, { steps, mutes }) => {
      const { store, time, ruleIds, act, mute, decide, ledger } = await openHistory(of)
      for (const [at, step] of steps.entries()) {
        time.now += step.waitMs
        for (const each of mutes) if (each.atStep === at) await mute(ruleIds[each.rule] ?? '', each.hours)
        const issueId = await act(step)
        const explained = await explainRules(store.db, {
          organizationId,
          projectId: 1,
          issueId,
          now: time.now,
        })
        await decide()
        const rows = (await ledger()).filter((row) => row.at === time.now && row.issueId === issueId)
        for (const { ruleId, kind, result } of rows) {
          seen.add(result)
          // A comment with a mention is two transitions, of which the last one is explained.
          const found = explained.filter((each) => each.ruleId === ruleId && each.transition === kind)
          const expected = kind === 'comment' && found.length === 0 ? [] : [{ result, at: time.now }]
          expect(found).toMatchObject(expected)
        }
        // A rule about a transition that has just happened, and without a decision, does not match.
        const decided = new Set(rows.map((row) => row.ruleId))
        const others = explained.filter((each) => each.at === time.now && !decided.has(each.ruleId))
        expect(others.filter(({ result }) => result !== 'unmatched')).toEqual([])
      }
    }),
    asserting,
  )
  expectEveryResult(seen)
})

/** Each run has a database of its own: on PostgreSQL there are few of them. */
function expectEveryResult(seen: ReadonlySet<string>): void {
  const results = ['disabled', 'muted', 'no_receiver', 'quiet_hours', 'sent', 'throttled']
  expect(results.filter((each) => !onPostgres && !seen.has(each))).toEqual([])
}
