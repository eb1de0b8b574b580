import { sql, type ExpressionBuilder, type InferResult } from 'kysely'
import { planDelivery, type RecentDelivery } from '#alerts/delivery-plan.ts'
import { limits } from '#server/limits.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import type { Database, Tx } from '#server/store/schema/database.ts'
import { createActivityId } from '#server/store/triage/activity.ts'
import { formatDeliveryMessage, parseDeliveryKind, parseDeliveryMessage } from './message.ts'
import type { DeliveryMessage, DeliveryTransition } from './message.ts'

/** The receiver of a message: a destination, a user by email, or a user's browser. */
export type DeliveryReceiver =
  | { destinationId: string; isMail: boolean }
  | { userId: string; isDigest: boolean }
  | { pushId: string }

/** Transitions of one project for one receiver. */
export interface QueuedDelivery {
  receiver: DeliveryReceiver
  /** If quiet hours delay it: when they end. Unix milliseconds. */
  heldUntil?: number | undefined
  /** True if spike protection of the project delays it, until a digest. */
  isHeld: boolean
  transitions: readonly DeliveryTransition[]
}

/** The project and the time. `now` in Unix milliseconds. */
interface QueueOptions {
  organizationId: number
  projectId: number
  now: number
}

const bounds = {
  groupMs: limits.alertGroupMs,
  stormMs: limits.alertStormMs,
  stormCount: limits.alertStormCount,
  digestMs: limits.alertDigestMs,
  skewMs: limits.alertClockSkewMs,
}

/** Receivers per statement: the engines limit the number of values. */
const receiversPerStatement = 100

/**
 * Queues messages, or extends pending ones: see `planDelivery`. Call inside the transaction of the decisions.
 * Five statements per hundred receivers. Returns the delivery ids in the same order.
 */
export async function queueDeliveries(
  tx: Tx,
  queued: readonly QueuedDelivery[],
  options: QueueOptions,
): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < queued.length; at += receiversPerStatement)
    ids.push(...(await queueSome(tx, queued.slice(at, at + receiversPerStatement), options)))
  return ids
}

async function queueSome(
  tx: Tx,
  queued: readonly QueuedDelivery[],
  options: QueueOptions,
): Promise<string[]> {
  const known = Map.groupBy(
    [...(await listRecent(tx, queued, options.now)), ...(await listQuiet(tx, queued))],
    ({ receiverKey }) => receiverKey,
  )
  const created: CreatedDelivery[] = []
  const added = new Set<KnownDelivery>()
  const ids = queued.map((each) => {
    const receiverKey = toReceiverKey(each.receiver)
    const ofReceiver = known.get(receiverKey) ?? []
    known.set(receiverKey, ofReceiver)
    const create = (kind: DeliveryMessage['kind'], dueAt: number) => {
      const delivery = createDelivery(each, { kind, dueAt }, options)
      created.push(delivery)
      ofReceiver.push(delivery)
      return delivery
    }
    const delivery = findOrCreate(each, { ofReceiver, create }, options)
    delivery.added.push(...each.transitions)
    added.add(delivery)
    return delivery.id
  })
  for (const delivery of created) added.delete(delivery)
  await insertDeliveries(tx, created, options)
  await addTransitions(tx, [...added])
  return ids
}

/** A message that is pending or was sent recently, with the transitions added to it. */
interface KnownDelivery extends RecentDelivery {
  receiverKey: string
  added: DeliveryTransition[]
}

interface CreatedDelivery extends KnownDelivery {
  receiver: DeliveryReceiver
}

/** The message for the transitions. Transitions delayed by quiet hours form one message. */
function findOrCreate(
  { receiver, heldUntil, isHeld, transitions }: QueuedDelivery,
  {
    ofReceiver,
    create,
  }: {
    ofReceiver: readonly KnownDelivery[]
    create: (kind: DeliveryMessage['kind'], dueAt: number) => CreatedDelivery
  },
  { projectId, now }: QueueOptions,
): KnownDelivery {
  if (heldUntil !== undefined)
    return (
      ofReceiver.find(({ kind, dueAt, isOpen }) => kind === 'quiet' && dueAt === heldUntil && isOpen) ??
      create('quiet', heldUntil)
    )
  const isDigest = 'userId' in receiver && receiver.isDigest
  const plan = planDelivery(ofReceiver, { projectId, isDigest, isHeld, now }, bounds)
  if ('to' in plan) {
    const known = ofReceiver.find(({ id }) => id === plan.to)
    if (known === undefined) throw new Error(`a plan names the unknown delivery ${plan.to}`)
    return known
  }
  if (plan.isStormBegin) create('storm', now).added.push(...transitions)
  return create(plan.kind, plan.dueAt)
}

function createDelivery(
  { receiver }: QueuedDelivery,
  { kind, dueAt }: { kind: DeliveryMessage['kind']; dueAt: number },
  { projectId, now }: QueueOptions,
): CreatedDelivery {
  const id = createActivityId(now)
  const own = { id, kind, projectId, createdAt: now, dueAt, receiver, receiverKey: toReceiverKey(receiver) }
  return { ...own, isOpen: true, transitionCount: 0, added: [] }
}

function toReceiverKey(receiver: DeliveryReceiver): string {
  if ('userId' in receiver) return `user ${receiver.userId}`
  if ('pushId' in receiver) return `push ${receiver.pushId}`
  return `destination ${receiver.destinationId}`
}

async function insertDeliveries(
  tx: Tx,
  created: readonly CreatedDelivery[],
  { organizationId, projectId, now }: QueueOptions,
): Promise<void> {
  if (created.length === 0) return
  const rows = created.map(({ id, kind, dueAt, receiver, added }) => {
    const isMail = 'userId' in receiver || ('isMail' in receiver && receiver.isMail)
    return {
      id,
      organization_id: organizationId,
      destination_id: 'destinationId' in receiver ? receiver.destinationId : null,
      user_id: 'userId' in receiver ? receiver.userId : null,
      push_id: 'pushId' in receiver ? receiver.pushId : null,
      kind,
      first_project_id: projectId,
      transition_count: added.length,
      message: formatDeliveryMessage(added.slice(0, limits.alertTransitionsPerDelivery)),
      created_at: now,
      due_at: dueAt,
      expires_at: dueAt + (isMail ? limits.alertMailExpiryMs : limits.alertExpiryMs),
      leased_until: null,
      status: 'waiting',
      finished_at: null,
    }
  })
  await tx.insertInto('alert_deliveries').values(rows).execute()
}

/**
 * Adds transitions to pending messages. A long message is neither read nor written: only the number of
 * further transitions is counted.
 */
async function addTransitions(tx: Tx, changed: readonly KnownDelivery[]): Promise<void> {
  if (changed.length === 0) return
  const roomOf = ({ transitionCount }: KnownDelivery) => limits.alertTransitionsPerDelivery - transitionCount
  const open = changed.filter((each) => roomOf(each) > 0)
  const rows =
    open.length === 0
      ? []
      : await tx
          .selectFrom('alert_deliveries')
          .select(['id', 'kind', 'message', 'transition_count'])
          .where(
            'id',
            'in',
            open.map(({ id }) => id),
          )
          .execute()
  const stored = new Map(rows.map((row) => [row.id, row]))
  const values = changed.map((each) => {
    const row = stored.get(each.id)
    // A message that this version cannot read is not changed.
    const known = row && parseDeliveryMessage(row)
    const message =
      known && formatDeliveryMessage([...known.transitions, ...each.added.slice(0, roomOf(each))])
    return [each.id, each.transitionCount + each.added.length, message ?? null]
  })
  const listed = JSON.stringify(values)
  const table = perEngine<never>({
    sqlite: sql`(select value ->> 0 as id, value ->> 1 as count, value ->> 2 as message from json_each(${listed}))`,
    postgres: sql`(select value ->> 0 as id, (value ->> 1)::bigint as count, value ->> 2 as message
      from json_array_elements(${listed}::json))`,
  })
  await sql`update alert_deliveries set transition_count = t.count,
      message = coalesce(t.message, alert_deliveries.message)
    from ${table} as t where alert_deliveries.id = t.id`.execute(tx)
}

/** Recent and pending messages of the receivers. */
async function listRecent(tx: Tx, queued: readonly QueuedDelivery[], now: number): Promise<KnownDelivery[]> {
  const receivers = queued.flatMap(({ heldUntil, receiver }) => (heldUntil === undefined ? [receiver] : []))
  if (receivers.length === 0) return []
  const since = now - Math.max(2 * bounds.stormMs, bounds.digestMs)
  const rows = await selectKnown(tx)
    .where(isForOneOf(receivers, since))
    // These wait for the end of quiet hours.
    .where('kind', '<>', 'quiet')
    .orderBy('created_at', 'desc')
    .limit(limits.alertDeliveriesRead * receivers.length)
    .execute()
  return rows.flatMap(toKnown)
}

/** Uses a separate index search per receiver. */
function isForOneOf(receivers: readonly DeliveryReceiver[], since: number) {
  const columns = {
    destination_id: receivers.flatMap((each) => ('destinationId' in each ? [each.destinationId] : [])),
    user_id: receivers.flatMap((each) => ('userId' in each ? [each.userId] : [])),
    push_id: receivers.flatMap((each) => ('pushId' in each ? [each.pushId] : [])),
  }
  return (is: ExpressionBuilder<Database, 'alert_deliveries'>) =>
    is.or(
      (['destination_id', 'user_id', 'push_id'] as const)
        .filter((column) => columns[column].length > 0)
        .map((column) => is.and([is(column, 'in', columns[column]), is('created_at', '>', since)])),
    )
}

/** Messages that wait for the end of quiet hours. */
async function listQuiet(tx: Tx, queued: readonly QueuedDelivery[]): Promise<KnownDelivery[]> {
  const held = queued.flatMap(({ heldUntil, receiver }) =>
    heldUntil === undefined ? [] : [{ heldUntil, receiver }],
  )
  if (held.length === 0) return []
  const rows = await selectKnown(tx)
    .where('status', '=', 'waiting')
    .where(
      'due_at',
      'in',
      held.map(({ heldUntil }) => heldUntil),
    )
    .where('kind', '=', 'quiet')
    .execute()
  return rows.flatMap(toKnown)
}

function selectKnown(tx: Tx) {
  return tx
    .selectFrom('alert_deliveries')
    .select(['id', 'kind', 'first_project_id', 'transition_count', 'created_at', 'due_at'])
    .select(['status', 'attempt_count', 'leased_until', 'destination_id', 'user_id', 'push_id'])
}

type KnownRow = InferResult<ReturnType<typeof selectKnown>>[number]

/** Empty for a message of a kind that this version does not know. */
function toKnown(row: KnownRow): KnownDelivery[] {
  const { destination_id: destinationId, user_id: userId, push_id: pushId } = row
  const kind = parseDeliveryKind(row.kind)
  if (kind === undefined) return []
  const known: KnownDelivery = {
    id: row.id,
    kind,
    projectId: row.first_project_id,
    createdAt: row.created_at,
    dueAt: row.due_at,
    isOpen: row.status === 'waiting' && row.attempt_count === 0 && row.leased_until === null,
    transitionCount: row.transition_count,
    receiverKey:
      userId !== null
        ? `user ${userId}`
        : pushId !== null
          ? `push ${pushId}`
          : `destination ${destinationId}`,
    added: [],
  }
  return [known]
}
