import type { EnvelopeItem } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'
import { cleanText } from '#server/normalize/text.ts'
import { scrubText } from '#server/scrub/scrub-event.ts'
import type { SentAttachment } from './compress-attachments.ts'
import type { Reception } from './reception.ts'

/** A media type without its parameters (RFC 9110 §8.3.1). */
const mediaType = /^[a-z\d!#$&^_.+-]{1,100}\/[a-z\d!#$&^_.+-]{1,100}/

/**
 * Reads an attachment item. Its name is for display; never build a path from it. Its bytes are stored
 * unchanged: secrets cannot be detected in files of arbitrary types.
 */
export function toSentAttachment(
  { header, payload }: EnvelopeItem,
  eventId: string,
  { projectId, receivedAt, rules: { scrubPlan } }: Reception,
): SentAttachment {
  const { filename, content_type: contentType, attachment_type: kind } = header
  return {
    projectId,
    eventId,
    name: scrubText(readLine(filename, limits.attachmentNameCharacters), scrubPlan) || 'attachment',
    contentType: mediaType.exec(readLine(contentType, 300).toLowerCase())?.[0] ?? 'application/octet-stream',
    kind: scrubText(readLine(kind, limits.nameCharacters), scrubPlan) || 'event.attachment',
    receivedAt,
    payload,
  }
}

function readLine(value: unknown, maxCharacters: number): string {
  if (typeof value !== 'string') return ''
  return cleanText(value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), maxCharacters)
}
