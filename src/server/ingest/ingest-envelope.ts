import { randomBytes } from 'node:crypto'
import type { Envelope } from '#protocol/envelope.ts'
import { limitItems, type LimitedCount, type LimitedItems } from '#server/rate-limit/limit-items.ts'
import { refundFiltered } from '#server/rate-limit/refund-filtered.ts'
import type { RequestLimits } from '#server/rate-limit/request-limits.ts'
import { shedRateLimits, shedTraces, type ShedItems } from '#server/rate-limit/shed-traces.ts'
import type { CommitEntry, OutcomeCount } from '#server/store/ingest/records.ts'
import type { RootReference } from '#server/store/traces/root-names.ts'
import { tooLargeStatus } from '#server/too-large.ts'
import { toCommitParts } from './commit-parts.ts'
import type { EnvelopeWork } from './envelope/envelope-state.ts'
import { toForwardOnlyWork, toOutboxEntries } from './envelope/forwarded-envelope.ts'
import type { Forwarding } from './forwarding.ts'
import {
  acceptedAnswer,
  limitedAnswer,
  rejectedAnswer,
  withRateLimits,
  type IngestAnswer,
} from './ingest-answer.ts'
import type { IngestServices } from './ingest-services.ts'
import { compressAttachments } from './items/compress-attachments.ts'
import { findMappedLocations } from './items/mapped-locations.ts'
import type { Reception } from './items/reception.ts'

/** Counts data of a request that is invalid, so that its endpoint created no items from it. */
export type LeftOutCount = Pick<OutcomeCount, 'category' | 'reason' | 'quantity'>

/** An envelope whose key may send to the project. */
export interface AcceptedEnvelope {
  envelope: Envelope
  reception: Reception
  /** True for Culvert's own envelopes, which are never limited. */
  isOwn?: true
  /**
   * True for the spans of an OTLP request: they are admitted before its body is read, and count as one batch,
   * because a Collector exports the spans of many services and traces together.
   */
  isExport?: true | undefined
  /** Counts of invalid data. If present, the answer contains all outcomes of the request. */
  leftOut?: readonly LeftOutCount[] | undefined
  /** Absent if nothing is limited. */
  requestLimits?: RequestLimits | undefined
  /** Absent if the project has no upstream. */
  forwarding?: Forwarding | undefined
}

/**
 * The write path from an authorized, parsed envelope to its answer, which is sent after the commit. Rejects
 * with `StoreUnavailableError`.
 */
export async function ingestEnvelope(
  services: IngestServices,
  { envelope: sent, requestLimits, forwarding, leftOut, ...origin }: AcceptedEnvelope,
): Promise<IngestAnswer> {
  const { alertDecider, committer, forwarder, monitorClock, rejectedCounts } = services
  const { reception } = origin
  // Under overload traces are dropped before errors.
  const { kept: offered, shed } = admitTraces(services, sent, origin)
  const listLimits = () => [
    ...(shed.length > 0 ? shedRateLimits : []),
    ...(requestLimits?.listActive() ?? []),
    ...(forwarding?.advertisedFor.flatMap((upstreamId) => forwarder.listRateLimits(upstreamId)) ?? []),
  ]

  // Limits. Items over a limit are dropped and counted; the answer advertises the limit.
  const { kept, limited, takenForAttachments }: LimitedItems =
    requestLimits === undefined
      ? { kept: offered, limited: [] }
      : limitItems(offered, ({ batchCount, ...question }) =>
          requestLimits.take({ ...question, batchCount: origin.isExport === true ? 1 : batchCount }),
        )
  const limitedCounts = [...limited, ...shed].map((item) => toLimitedCount(item, reception))
  if (kept.length === 0 && limitedCounts.length > 0) {
    for (const count of limitedCounts) rejectedCounts.add(count)
    return withRateLimits(limitedAnswer(requestLimits?.listActive() ?? []), listLimits())
  }
  const envelope = limitedCounts.length === 0 ? sent : { ...sent, items: kept }

  // Items: parse → normalize → filter → scrub → group, each item to one event, attachment, count or dead
  // letter.
  const { work, eventId, isEventTooLarge, attachments } =
    forwarding?.isStoredHere === false
      ? toForwardOnlyWork(envelope, forwarding.upstreams, { ...reception, createEventId })
      : await processItems(services, envelope, reception)
  if (requestLimits !== undefined) refundFiltered(requestLimits, work.outcomes, takenForAttachments)
  work.outcomes.push(...limitedCounts)
  for (const count of leftOut ?? [])
    work.outcomes.push({
      ...count,
      outcome: 'invalid',
      projectId: reception.projectId,
      at: reception.receivedAt,
    })
  if (attachments.length > 0) work.attachments = await compressAttachments(attachments)
  if (forwarding !== undefined && !isEventTooLarge) {
    const bytes = limitedCounts.length === 0 ? forwarding.bytes : undefined
    work.outbox = await toOutboxEntries(forwarding.upstreams, { envelope, bytes, eventId }, reception)
  }

  // Commit. Everything of the envelope is in one transaction, except many or large traces.
  if (hasContent(work)) for (const part of toCommitParts(work)) await committer.commit(part)
  if (work.events.length > 0) alertDecider.wake()
  if (work.checkIns !== undefined) monitorClock.wake()
  if (work.outbox !== undefined && work.outbox.length > 0) forwarder.wake()

  const answer = withRateLimits(isEventTooLarge ? tooLargeEvent : acceptedAnswer(eventId), listLimits())
  return leftOut === undefined ? answer : { ...answer, outcomes: work.outcomes }
}

/** Returns the items without dropped traces. Errors are recorded in any case: traces make room for them. */
function admitTraces(
  { admission }: IngestServices,
  { items }: Envelope,
  { isOwn, isExport }: Pick<AcceptedEnvelope, 'isOwn' | 'isExport'>,
): ShedItems {
  const everything = { kept: [...items], shed: [] }
  if (isOwn === true || isExport === true || !admission.isOverloaded) return everything
  const withoutTraces = shedTraces(items)
  if (withoutTraces.kept.length > 0) admission.noteOthers()
  return withoutTraces.shed.length === 0 || admission.admitTraces() ? everything : withoutTraces
}

const tooLargeEvent = rejectedAnswer(tooLargeStatus, 'event exceeded size limits')

function toLimitedCount(
  { category, quantity, reason }: Omit<LimitedCount, 'reason'> & { reason: string },
  { projectId, receivedAt: at }: Reception,
): OutcomeCount {
  return { projectId, category, outcome: 'rate_limited', reason, quantity, at }
}

async function processItems(
  services: IngestServices,
  envelope: Envelope,
  reception: Reception,
): Promise<EnvelopeWork> {
  const { log, admission, sliceQueue, store } = services
  const { projectId, pageNames, rules } = reception
  const mappedLocations = await findMappedLocations(services, envelope, reception)
  const onFailure = (itemType: string, thrown: unknown) =>
    log.error({ err: thrown, projectId, itemType }, 'item became a dead letter')
  const unknownPages: RootReference[] = []
  const context = {
    ...reception,
    createEventId,
    onFailure,
    unknownPages,
    ...(mappedLocations && { mappedLocations }),
  }
  const processed = await sliceQueue.process(envelope, context, admission)
  const canLearn = unknownPages.length > 0 && rules.settings.traces.mode === 'samples'
  return canLearn && !admission.isOverloaded && (await pageNames?.learn(store.db, projectId, unknownPages))
    ? sliceQueue.process(envelope, context, admission)
    : processed
}

function hasContent(work: CommitEntry): boolean {
  const { events, outcomes, deadLetters, attachments, traces, figures, sessions, checkIns, outbox } = work
  return [events, outcomes, deadLetters, attachments, traces, figures, sessions, checkIns, outbox].some(
    (part) => part !== undefined && part.length > 0,
  )
}

function createEventId(): string {
  return randomBytes(16).toString('hex')
}
