import { itemCategory } from '#protocol/data-category.ts'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import type { LimitQuestion, LimitReason } from './request-limits.ts'

/** A rejected quantity and the reason. Attachments count as items here, not bytes. */
export interface LimitedCount {
  category: string
  quantity: number
  reason: LimitReason
}

/** The result of limiting the items of an envelope. */
export interface LimitedItems {
  kept: EnvelopeItem[]
  limited: LimitedCount[]
  /** What attachments have taken; absent if their limit was reached, or they were not checked. */
  takenForAttachments?: LimitQuestion | undefined
}

/** Attachment types that are the event itself (Relay's `AttachmentType`), sent by native SDKs. */
const eventAttachments: ReadonlySet<unknown> = new Set([
  'event.minidump',
  'event.applecrashreport',
  'event.payload',
  'event.breadcrumbs',
])

/** Categories that own attachments. */
const ownerCategories: ReadonlySet<string> = new Set(['error', 'transaction', 'security', 'feedback'])

/**
 * Checks each category of an envelope once and removes rejected items. Attachments follow their event and are
 * then not checked; one that is the event itself stays if attachments are rejected (Relay's
 * `EnvelopeLimiter`).
 */
export function limitItems(
  items: readonly EnvelopeItem[],
  take: (question: LimitQuestion) => LimitReason | undefined,
): LimitedItems {
  const limitedBy = new Map<string, LimitReason>()
  for (const question of toQuestions(listCounted(items))) {
    const reason = take(question)
    if (reason !== undefined) limitedBy.set(question.category, reason)
  }
  const ownerReason = limitedBy.entries().find(([category]) => ownerCategories.has(category))?.[1]
  const question = ownerReason === undefined ? toAttachmentQuestion(items) : undefined
  const attachmentReason = ownerReason ?? (question && take(question))
  const takenForAttachments = attachmentReason === undefined ? question : undefined
  const kept: EnvelopeItem[] = []
  const limited: LimitedCount[] = []
  for (const item of items) {
    const category = limitedCategory(item)
    const reason = isPlainAttachment(item) ? attachmentReason : limitedBy.get(category)
    if (reason === undefined) kept.push(item)
    else addCount(limited, { category, quantity: itemQuantity(item), reason })
  }
  return { kept, limited, takenForAttachments }
}

/** The items that count as items, except plain attachments. Those that are the event itself count once. */
function listCounted(items: readonly EnvelopeItem[]): EnvelopeItem[] {
  const counted = items.filter(({ type }) => type !== 'attachment')
  const hasEvent = counted.some(({ type }) => ownerCategories.has(itemCategory(type)))
  const event = hasEvent ? undefined : items.find(isEventAttachment)
  return event === undefined ? counted : [...counted, event]
}

/** All attachments count in bytes; those that are not the event itself also count as items. */
function toAttachmentQuestion(items: readonly EnvelopeItem[]): LimitQuestion | undefined {
  const attachments = items.filter(({ type }) => type === 'attachment')
  if (attachments.length === 0) return undefined
  const quantity = attachments.reduce((bytes, { payload }) => bytes + Math.max(1, payload.byteLength), 0)
  return { category: 'attachment', quantity, itemCount: attachments.filter(isPlainAttachment).length }
}

function toQuestions(items: readonly EnvelopeItem[]): LimitQuestion[] {
  const questions = new Map<string, LimitQuestion>()
  for (const item of items) {
    const category = limitedCategory(item)
    const quantity = itemQuantity(item)
    const question = questions.get(category)
    if (question === undefined)
      questions.set(category, { category, quantity, itemCount: quantity, batchCount: 1 })
    else {
      question.quantity += quantity
      question.itemCount += quantity
      question.batchCount = (question.batchCount ?? 0) + 1
    }
  }
  return [...questions.values()]
}

function limitedCategory(item: EnvelopeItem): string {
  return isEventAttachment(item) ? 'error' : itemCategory(item.type)
}

function isPlainAttachment(item: EnvelopeItem): boolean {
  return item.type === 'attachment' && !isEventAttachment(item)
}

function isEventAttachment({ type, header }: EnvelopeItem): boolean {
  return type === 'attachment' && eventAttachments.has(header['attachment_type'])
}

function addCount(counts: LimitedCount[], { category, quantity, reason }: LimitedCount): void {
  const known = counts.find((count) => count.category === category)
  if (known === undefined) counts.push({ category, quantity, reason })
  else known.quantity += quantity
}
