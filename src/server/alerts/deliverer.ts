import { setTimeout as sleep } from 'node:timers/promises'
import type { Env } from '#server/env.ts'
import { UpstreamConnections, type ResolveName } from '#server/forward/connection.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { correctDeliveryTimes } from '#server/store/alerts/deliveries/clock-correction.ts'
import {
  cancelDelivery,
  leaseDeliveries,
  recordAttempt,
  releaseDelivery,
  type DeliveryTransport,
  type DeliveryOutcome,
  type LeasedDelivery,
} from '#server/store/alerts/deliveries/leases.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { Store } from '#server/store/store.ts'
import { logUnreadableRows } from '#server/store/unreadable-rows.ts'
import type { ChannelTools } from './channels/channel.ts'
import { deliverToDestination } from './channels/channels.ts'
import { createMailSender } from './channels/email/mail-sender.ts'
import { createDestinationRule } from './channels/http/destination-rule.ts'
import type { VapidKeys } from './channels/push/vapid.ts'
import type { AlertAnswer, AlertMessage, Destination } from './message.ts'
import { prepareMessage } from './prepared-message.ts'
import { readVapidKeys } from './vapid-keys.ts'

/** Sends the messages of alerts. */
export interface AlertDeliverer {
  /** Checks every `limits.alertDeliveryTickMs` for due messages. */
  start(): void
  /**
   * Sends everything that is due now, or becomes due within `sendMs`, and waits for answers for `awaitMs` in
   * total. Messages that are then still in flight are aborted and released, because the host suspends this
   * process: the next call, in any process, sends them. Logs failures of the store.
   */
  deliver(bounds?: { sendMs: number; awaitMs: number }): Promise<'done' | 'failed'>
  /** Makes one attempt to send a message to a destination without recording it. `secret`: decrypted. */
  send(
    message: AlertMessage,
    destination: Destination,
    of: { deliveryId: string; editedRef?: string },
  ): Promise<AlertAnswer>
  /** Attempts of this process by channel and verdict, separated by a space. */
  readonly attemptCounts: ReadonlyMap<string, number>
  /** Aborts messages in flight. */
  stop(): Promise<void>
}

export interface AlertDelivererOptions {
  store: Store
  log: Log
  env: Pick<Env, 'mail' | 'privateDestinations' | 'secret'>
  /** Scheme, host and port of the console. */
  origin: () => string
  /** A number from 0 to below 1, for the jitter of delays. */
  random: () => number
  resolveName?: ResolveName
}

/** Creates a stopped deliverer. Several processes may run one each: a message is sent by one of them. */
export function createAlertDeliverer(options: AlertDelivererOptions): AlertDeliverer {
  const { store, log } = options
  const sender = createSender(options)
  const sending = new Map<Promise<void>, DeliveryTransport>()
  const leaseDue = createLeasing(store)
  let interval: NodeJS.Timeout | undefined
  let leasing: Promise<number> | undefined
  let isStopping = false
  let failureCount = 0

  const report = (error: unknown) => {
    failureCount += 1
    // The store logs its own unavailability. The lease expires, and another attempt follows.
    if (!findUnavailability(error)) log.error({ err: error }, 'a message of an alert could not be sent')
  }
  const begin = (leased: LeasedDelivery) => {
    const run = attemptDelivery(leased, sender, options)
      .catch(report)
      .finally(() => {
        sending.delete(run)
        // The next message to the same receiver.
        if (interval !== undefined) void sendDue()
      })
    sending.set(run, leased.transport)
  }
  const lease = async () => {
    const leased = isStopping ? [] : await leaseDue(countFree([...sending.values()]))
    for (const each of leased) begin(each)
    return leased.length
  }
  /** Starts sending the due messages, and returns their number. */
  const sendDue = () => {
    leasing ??= lease()
      .catch((error: unknown) => {
        report(error)
        return 0
      })
      .finally(() => {
        leasing = undefined
        logUnreadableRows(log)
      })
    return leasing
  }
  const sendDueAgain = async () => {
    // A check in progress may have missed messages that have become due since.
    await leasing
    return sendDue()
  }
  /** Another process sends messages without an answer. */
  const releaseAll = async () => {
    await leasing
    sender.abort()
    await Promise.all(sending.keys())
  }
  const loop = { sending, sendDueAgain }
  const sendSlice = createSlices(loop, releaseAll)
  return {
    start() {
      interval = setInterval(() => void sendDue(), limits.alertDeliveryTickMs).unref()
    },
    async deliver(bounds) {
      const failuresBefore = failureCount
      await (bounds ? sendSlice(bounds) : sendAll({ ...loop, sendMs: Infinity }))
      return failureCount === failuresBefore ? 'done' : 'failed'
    },
    send: sender.send,
    attemptCounts: sender.attemptCounts,
    async stop() {
      isStopping = true
      clearInterval(interval)
      interval = undefined
      await releaseAll()
    },
  }
}

/** Returns the function that leases due messages, even after the clock was set back. */
function createLeasing(
  store: Store,
): (counts: Record<DeliveryTransport, number>) => Promise<LeasedDelivery[]> {
  // Before the first check, the clock may have been set back while no process ran.
  let checkedAt = Number.POSITIVE_INFINITY
  return async (counts) => {
    if (counts.mail <= 0 && counts.http <= 0) return []
    const now = store.clock()
    if (now < checkedAt - limits.alertClockSkewMs) await correctDeliveryTimes(store, now)
    checkedAt = now
    return leaseDeliveries(store, { now, counts })
  }
}

/** How many further messages may be sent. */
function countFree(sent: readonly DeliveryTransport[]): Record<DeliveryTransport, number> {
  const mails = sent.filter((transport) => transport === 'mail').length
  return {
    mail: limits.alertMailsAtOnce - mails,
    http: limits.alertPostsAtOnce - (sent.length - mails),
  }
}

interface SendOptions {
  sending: ReadonlyMap<Promise<void>, DeliveryTransport>
  sendDueAgain: () => Promise<number>
  sendMs: number
}

/**
 * Sends for at most `awaitMs`. Of several calls at the same time, the last one releases the remaining
 * messages.
 */
function createSlices(options: Omit<SendOptions, 'sendMs'>, releaseAll: () => Promise<void>) {
  let runningCount = 0
  return async ({ sendMs, awaitMs }: { sendMs: number; awaitMs: number }): Promise<void> => {
    runningCount += 1
    const sent = sendAll({ ...options, sendMs: Math.min(sendMs, awaitMs) })
    await Promise.race([sent, sleep(awaitMs, undefined, { ref: false })])
    runningCount -= 1
    if (runningCount === 0) await releaseAll()
  }
}

/** Starts sending messages that are due within `sendMs`, and waits for all messages in flight. */
async function sendAll({ sending, sendDueAgain, sendMs }: SendOptions): Promise<void> {
  const endsAt = performance.now() + sendMs
  const isTimeLeft = () => performance.now() < endsAt
  while ((isTimeLeft() && (await sendDueAgain()) > 0) || sending.size > 0)
    if (sending.size > 0) await Promise.race(sending.keys())
}

interface Sender extends Pick<AlertDeliverer, 'attemptCounts' | 'send'> {
  /** Aborts messages in flight. */
  abort(): void
  signal(): AbortSignal
}

/** Has the connections and the mail server. */
function createSender({ store, env, resolveName, origin }: AlertDelivererOptions): Sender {
  const rule = createDestinationRule(env.privateDestinations)
  const connections = new UpstreamConnections({ rule, ...(resolveName && { resolveName }) })
  let mail = env.mail && createMailSender(env.mail)
  const attemptCounts = new Map<string, number>()
  let vapid: Promise<VapidKeys> | undefined
  let aborting = new AbortController()
  return {
    attemptCounts,
    signal: () => aborting.signal,
    async send(message, destination, { deliveryId, editedRef }) {
      const tools: ChannelTools = {
        connections,
        deliveryId,
        now: store.clock,
        readVapid: () => {
          vapid ??= readVapidKeys({ store, secret: env.secret })
          return vapid
        },
        origin: origin(),
        mail,
        editedRef,
      }
      const answer = await deliverToDestination(message, destination, tools)
      const counted = `${destination.kind} ${answer.verdict}`
      attemptCounts.set(counted, (attemptCounts.get(counted) ?? 0) + 1)
      return answer
    },
    abort() {
      aborting.abort()
      aborting = new AbortController()
      connections.close()
      mail?.close()
      mail = env.mail && createMailSender(env.mail)
    },
  }
}

/** Makes an attempt to send a message, and records the result. */
async function attemptDelivery(
  leased: LeasedDelivery,
  sender: Sender,
  options: AlertDelivererOptions,
): Promise<void> {
  const { store, random } = options
  const at = store.clock()
  const signal = sender.signal()
  const prepared = await prepareMessage(leased, options, at)
  if (prepared === undefined) return cancelDelivery(store, leased.id)
  if (signal.aborted) return releaseDelivery(store, leased)
  const { message, destination, editedRef, problem } = prepared
  const beganAt = performance.now()
  const answer = problem ?? (await sender.send(message, destination, { deliveryId: leased.id, editedRef }))
  // The process has aborted the attempt, independently of the receiver.
  if (signal.aborted && answer.verdict === 'retry') return releaseDelivery(store, leased)
  await recordAttempt(store, leased, {
    attempt: {
      at,
      durationMs: Math.round(performance.now() - beganAt),
      status: answer.status,
      answer: answer.answerExcerpt ?? '',
    },
    outcome: toOutcome(answer, leased, { now: store.clock(), random }),
  })
}

/** The next state of a message after an answer. */
function toOutcome(
  { verdict, retryAfterMs, messageRef, answerExcerpt }: AlertAnswer,
  { attemptCount, expiresAt }: LeasedDelivery,
  { now, random }: { now: number; random: () => number },
): DeliveryOutcome {
  switch (verdict) {
    case 'delivered':
      return { status: 'sent', ...(messageRef !== undefined && { reference: messageRef }) }
    case 'rejected':
      return { status: 'failed' }
    case 'disabled':
      return { status: 'failed', disabledReason: answerExcerpt || 'The receiver no longer accepts messages.' }
    case 'retry':
  }
  const backOffMs = Math.min(limits.alertRetryMaxMs, limits.alertRetryMs * 2 ** (attemptCount - 1))
  // Random between a half and the whole delay, so that messages to a receiver do not arrive at the same time.
  const delayMs = Math.max(retryAfterMs ?? 0, backOffMs * (0.5 + random() / 2))
  // Expired messages are detected when they are due.
  return { status: 'waiting', dueAt: Math.min(now + Math.round(delayMs), Math.max(now, expiresAt)) }
}
