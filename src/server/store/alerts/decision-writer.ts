import type { Transaction } from 'kysely'
import { isCausedByEvents } from '#alerts/transition.ts'
import { queueDelivery } from '#server/store/alerts/deliveries/deliveries.ts'
import type { DeliveryReceiver } from '#server/store/alerts/deliveries/deliveries.ts'
import type { DeliveryTransition } from '#server/store/alerts/deliveries/message.ts'
import type { Database } from '#server/store/schema/database.ts'
import { startSystemAction } from '#server/store/triage/activity.ts'
import { changeState, selectIssues } from '#server/store/triage/changed-issues.ts'
import { toDecisionRows, toInboxRows } from './decision-rows.ts'
import type { DecidedTransition, RuleDecision } from './decision-rows.ts'
import type { ProjectAlerts } from './project-alerts.ts'
import { takeTransitions } from './queue.ts'
import type { KnownRules } from './rules.ts'

/** When, and with what, decisions are made. */
export interface DecideOptions {
  /** Unix milliseconds. */
  now: number
  /** A mail server is set. */
  hasMail: boolean
  /** Kept from one call to the next. */
  knownRules?: KnownRules
}

/** Rows of an insert: values are limited by the engines, and the lock is held meanwhile. */
const rowsPerInsert = 500

/**
 * Takes the transitions of a project from the queue, and writes decisions, inbox items and deliveries for
 * those it got. Inside a transaction. Returns how many it took.
 */
export async function writeDecisions(
  tx: Transaction<Database>,
  { project, transitions }: { project: ProjectAlerts; transitions: readonly DecidedTransition[] },
  { now }: DecideOptions,
): Promise<number> {
  const { projectId } = project
  const ids = transitions.map(({ transition }) => transition.id)
  const taken = await takeTransitions(tx, { projectId, ids })
  const own = transitions.filter(({ transition }) => taken.has(transition.id))
  await assignToOwners(tx, { projectId, transitions: own, now })
  const deliveryIds = await queueDeliveries(tx, { project, transitions: own, now })
  const decisions = own.flatMap((decided) => {
    const isHeld = isHeldByFlood(project, decided)
    const toDeliveryIds = ({ heldUntil, ...decision }: RuleDecision) =>
      listReceivers(project, decision).flatMap(
        (each) => deliveryIds.get(toKey(each, { heldUntil, isHeld })) ?? [],
      )
    return toDecisionRows(decided, { toDeliveryIds, now })
  })
  await forEachSlice(decisions, (slice) => tx.insertInto('alert_decisions').values(slice).execute())
  await forEachSlice(own.flatMap(toInboxRows), (slice) =>
    tx.insertInto('inbox_items').values(slice).execute(),
  )
  return taken.size
}

/** Assigns new issues, unless a person was faster. */
async function assignToOwners(
  tx: Transaction<Database>,
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

/** Queues what each receiver gets as one message. Returns the ids of the deliveries by receiver. */
async function queueDeliveries(
  tx: Transaction<Database>,
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
        addRule(received, decided, decision.ruleId)
      }
    }
  }
  const deliveryIds = new Map<string, string>()
  for (const [key, { receiver, heldUntil, isHeld, transitions: queued }] of byReceiver) {
    const delivery = {
      organizationId,
      projectId,
      receiver,
      heldUntil,
      isHeld,
      transitions: [...queued.values()],
      now,
    }
    deliveryIds.set(key, await queueDelivery(tx, delivery))
  }
  return deliveryIds
}

/** What a receiver gets. */
interface ReceivedTransitions {
  receiver: DeliveryReceiver
  heldUntil?: number | undefined
  isHeld: boolean
  /** By id. */
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
    // A browser shows at once what comes into the inbox, except what a person wants to have once an hour.
    ...users.flatMap(({ userId, way }) =>
      way === 'inbox' || way === 'email'
        ? (receivers.pushIds.get(userId) ?? []).map((pushId) => ({ pushId }))
        : [],
    ),
  ]
}

/** However many rules match, the transition is named once. */
function addRule(
  { transitions }: ReceivedTransitions,
  { transition: { projectId, id: transitionId, kind, at }, issueId, notice }: DecidedTransition,
  ruleId: string,
): void {
  const known = transitions.get(transitionId)
  if (known !== undefined) known.ruleIds.push(ruleId)
  else
    transitions.set(transitionId, {
      projectId,
      issueId,
      transition: kind,
      at,
      transitionId,
      ruleIds: [ruleId],
      notice,
    })
}

/** The message that says so, and what people do, wait for nothing. */
function isHeldByFlood({ isFlooded }: ProjectAlerts, { transition: { kind } }: DecidedTransition): boolean {
  return isFlooded && isCausedByEvents(kind)
}

/** A receiver gets one message at once, and others after quiet hours, after a flood and in a digest. */
function toKey(
  receiver: DeliveryReceiver,
  { heldUntil = 0, isHeld }: { heldUntil?: number | undefined; isHeld: boolean },
): string {
  const held = `${heldUntil} ${isHeld}`
  if ('userId' in receiver) return `user ${receiver.userId} ${receiver.isDigest ? 'digest' : ''} ${held}`
  if ('pushId' in receiver) return `push ${receiver.pushId} ${held}`
  return `destination ${receiver.destinationId} ${held}`
}

async function forEachSlice<Row>(
  rows: readonly Row[],
  work: (slice: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) await work(rows.slice(at, at + rowsPerInsert))
}
