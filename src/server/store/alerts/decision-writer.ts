import { sql } from 'kysely'
import type { AlertResult } from '#alerts/decide.ts'
import { isCausedByEvents, isRecovery } from '#alerts/transition.ts'
import { queueDeliveries, type DeliveryReceiver } from '#server/store/alerts/deliveries/deliveries.ts'
import type { DeliveryTransition } from '#server/store/alerts/deliveries/message.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import type { ProjectFailures } from '#server/store/project-failures.ts'
import { forEachSlice } from '#server/store/row-slices.ts'
import type { Tx } from '#server/store/schema/database.ts'
import { startSystemAction } from '#server/store/triage/activity.ts'
import { changeState, selectIssues } from '#server/store/triage/changed-issues.ts'
import { toDecisionRows, toInboxRows } from './decision-rows.ts'
import type { DecidedTransition, DecisionRows, RuleDecision } from './decision-rows.ts'
import { readLastSentAt, toLastKey, type ProjectAlerts } from './project-alerts.ts'
import { takeTransitions } from './queue.ts'
import { writeRuleSets } from './rule-sets.ts'
import type { KnownRules } from './rules.ts'

/** The circumstances of decisions. */
export interface DecideOptions {
  /** Unix milliseconds. */
  now: number
  /** True if a mail server is configured. */
  hasMail: boolean
  /** A cache that is reused by the next call. */
  knownRules?: KnownRules
  /** The number of rule decisions by result, updated once they are written. */
  decisionCounts?: Map<AlertResult, number>
  /** Without it, an error about one project is thrown. */
  failures?: ProjectFailures
}

/** The number of written rows: of transitions that this process took, and of rule decisions. */
export interface WrittenDecisions {
  transitionCount: number
  rows: readonly DecisionRows[]
}

/**
 * Removes the transitions of a project from the queue, and writes decisions, inbox items and deliveries for
 * those that were still in it. Call inside a transaction.
 */
export async function writeDecisions(
  tx: Tx,
  { project, transitions }: { project: ProjectAlerts; transitions: readonly DecidedTransition[] },
  { now }: DecideOptions,
): Promise<WrittenDecisions> {
  const { projectId } = project
  const outdated = await findOutdated(tx, project, transitions)
  const ids = transitions.filter((each) => !outdated.has(each)).map(({ transition }) => transition.id)
  if (ids.length === 0) return { transitionCount: 0, rows: [] }
  const taken = await takeTransitions(tx, { projectId, ids })
  const own = transitions.filter(({ transition }) => taken.has(transition.id))
  await assignToOwners(tx, { projectId, transitions: own, now })
  const deliveryIds = await queueMessages(tx, { project, transitions: own, now })
  const rows = toDecisionRows(own, (decided, { heldUntil, ...decision }) => {
    const isHeld = isHeldByFlood(project, decided)
    return listReceivers(project, decision).flatMap(
      (each) => deliveryIds.get(toKey(each, { heldUntil, isHeld })) ?? [],
    )
  })
  await insertDecisions(tx, { projectId, rows, now })
  await forEachSlice(own.flatMap(toInboxRows), (slice) =>
    tx.insertInto('inbox_items').values(slice).execute(),
  )
  return { transitionCount: taken.size, rows }
}

/**
 * Decisions to send a message with a throttle, where another process has sent one since the history was read.
 * Their transitions remain in the queue for another decision.
 */
async function findOutdated(
  tx: Tx,
  { projectId, index, sentBefore }: ProjectAlerts,
  transitions: readonly DecidedTransition[],
): Promise<Set<DecidedTransition>> {
  const throttled = new Set(index.rules.flatMap(({ id, rule }) => (rule.throttleMs > 0 ? [id] : [])))
  const sent = transitions.flatMap((decided) => {
    if (throttled.size === 0 || isRecovery(decided.transition.kind)) return []
    const ruleIds = decided.decisions.flatMap((each) => (each.result === 'sent' ? each.ruleIds : []))
    const keys = ruleIds.filter((id) => throttled.has(id)).map((id) => toLastKey(decided, id))
    return keys.length === 0 ? [] : [{ decided, keys }]
  })
  if (sent.length === 0) return new Set()
  const issueIds = [...new Set(sent.map(({ decided }) => decided.issueId))]
  const lastSentAt = await readLastSentAt(tx, { projectId, issueIds })
  const isLater = (key: string) => (lastSentAt.get(key) ?? 0) > (sentBefore.get(key) ?? 0)
  return new Set(sent.flatMap(({ decided, keys }) => (keys.some(isLater) ? [decided] : [])))
}

/** Assigns new issues, unless a user has already assigned them. */
async function assignToOwners(
  tx: Tx,
  {
    projectId,
    transitions,
    now,
  }: { projectId: number; transitions: readonly DecidedTransition[]; now: number },
): Promise<void> {
  const assignees = new Map(
    transitions.flatMap(({ issueId, newAssigneeId }) =>
      newAssigneeId === undefined ? [] : [[issueId, newAssigneeId] as const],
    ),
  )
  const issues = await selectIssues(tx, { issueIds: [...assignees.keys()], projectIds: [projectId] })
  for (const issue of issues) {
    const assigneeId = assignees.get(issue.issueId)
    if (assigneeId === undefined || issue.state.assigneeId !== null) continue
    await changeState(tx, startSystemAction(now), { issue, event: { kind: 'assign', assigneeId } })
  }
}

/** Queues one message per receiver. Returns the delivery ids by receiver. */
async function queueMessages(
  tx: Tx,
  {
    project,
    transitions,
    now,
  }: { project: ProjectAlerts; transitions: readonly DecidedTransition[]; now: number },
): Promise<Map<string, string>> {
  const { organizationId, projectId } = project
  const byReceiver = new Map<string, ReceivedTransitions>()
  for (const decided of transitions) {
    const isHeld = isHeldByFlood(project, decided)
    for (const decision of decided.decisions) {
      const { result, heldUntil } = decision
      if (result !== 'sent' && heldUntil === undefined) continue
      for (const receiver of listReceivers(project, decision)) {
        const key = toKey(receiver, { heldUntil, isHeld })
        const received = byReceiver.get(key) ?? { receiver, heldUntil, isHeld, transitions: new Map() }
        byReceiver.set(key, received)
        addRules(received, decided, decision.ruleIds)
      }
    }
  }
  const queued = [...byReceiver.values()].map(({ receiver, heldUntil, isHeld, transitions: received }) => {
    return { receiver, heldUntil, isHeld, transitions: [...received.values()] }
  })
  const ids = await queueDeliveries(tx, queued, { organizationId, projectId, now })
  return new Map([...byReceiver.keys()].map((key, at) => [key, ids[at] ?? '']))
}

/** The message for a receiver. */
interface ReceivedTransitions {
  receiver: DeliveryReceiver
  heldUntil?: number | undefined
  isHeld: boolean
  /** Transitions by id. */
  transitions: Map<string, DeliveryTransition>
}

function listReceivers(
  { receivers }: ProjectAlerts,
  { destinationIds, users }: Pick<RuleDecision, 'destinationIds' | 'users'>,
): DeliveryReceiver[] {
  return [
    ...destinationIds.map((destinationId) => ({
      destinationId,
      isMail: receivers.destinations.get(destinationId)?.isMail ?? false,
    })),
    ...users.flatMap(({ userId, way }) =>
      way === 'email' || way === 'digest' ? [{ userId, isDigest: way === 'digest' }] : [],
    ),
    // A browser shows new inbox items immediately, except transitions that the user receives in an hourly
    // digest.
    ...users.flatMap(({ userId, way }) =>
      way === 'inbox' || way === 'email'
        ? (receivers.pushIds.get(userId) ?? []).map((pushId) => ({ pushId }))
        : [],
    ),
  ]
}

/** However many rules match, the transition is listed once. */
function addRules(
  { transitions }: ReceivedTransitions,
  { transition: { projectId, id: transitionId, kind, at }, issueId, notice }: DecidedTransition,
  ruleIds: readonly string[],
): void {
  const known = transitions.get(transitionId)
  if (known !== undefined) known.ruleIds = [...known.ruleIds, ...ruleIds]
  else
    transitions.set(transitionId, { projectId, issueId, transition: kind, at, transitionId, ruleIds, notice })
}

/** Writes similar rows in one statement, whose text does not depend on their number. */
async function insertDecisions(
  tx: Tx,
  { projectId, rows, now }: { projectId: number; rows: readonly DecisionRows[]; now: number },
): Promise<void> {
  const ruleIds = rows.map((each) => each.ruleIds)
  const setIds = await writeRuleSets(tx, { projectId, ruleIds, now })
  for (const [
    at,
    {
      ruleIds: [ruleId = ''],
      transitions,
      ...row
    },
  ] of rows.entries()) {
    const listed = JSON.stringify(transitions)
    const values = perEngine<never>({
      sqlite: sql`(select value ->> 0 as issue_id, value ->> 1 as id, value ->> 2 as at from json_each(${listed}))`,
      postgres: sql`(select (value ->> 0)::bigint as issue_id, value ->> 1 as id, (value ->> 2)::bigint as at
        from json_array_elements(${listed}::json))`,
    })
    await sql`insert into alert_decisions (project_id, issue_id, rule_id, rule_set_id, transition_id, kind, at,
        decided_at, result, delivery_ids, notice)
      select cast(${projectId} as bigint), t.issue_id, ${ruleId}, cast(${setIds[at] ?? null} as text), t.id,
        ${row.kind}, t.at, cast(${now} as bigint), ${row.result}, ${row.deliveryIds}, cast(${row.notice} as text)
      from ${values} as t`.execute(tx)
  }
}

/** The message that reports the flood, and users' actions, are not delayed. */
function isHeldByFlood({ isFlooded }: ProjectAlerts, { transition: { kind } }: DecidedTransition): boolean {
  return isFlooded && isCausedByEvents(kind)
}

/** Separate messages: immediate ones, and those after quiet hours, after a flood and in a digest. */
function toKey(
  receiver: DeliveryReceiver,
  { heldUntil = 0, isHeld }: { heldUntil?: number | undefined; isHeld: boolean },
): string {
  const held = `${heldUntil} ${isHeld}`
  if ('userId' in receiver) return `user ${receiver.userId} ${receiver.isDigest ? 'digest' : ''} ${held}`
  if ('pushId' in receiver) return `push ${receiver.pushId} ${held}`
  return `destination ${receiver.destinationId} ${held}`
}
