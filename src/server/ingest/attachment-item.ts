import type { EnvelopeItem } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'
import { cleanText } from '#server/normalize/text.ts'
import type { SentAttachment } from './compress-attachments.ts'
import type { Reception } from './event-item.ts'

/** A media type without its parameters (RFC 9110 §8.3.1). */
const mediaType = /^[a-z\d!#$&^_.+-]{1,100}\/[a-z\d!#$&^_.+-]{1,100}/

/** Reads an attachment item. Its name is for people: nobody may build a path of it. */
export function toSentAttachment(
  { header, payload }: EnvelopeItem,
  eventId: string,
  { projectId, receivedAt }: Reception,
): SentAttachment {
  const { filename, content_type: contentType, attachment_type: kind } = header
  return {
    projectId,
    eventId,
    name: readLine(filename, limits.attachmentNameCharacters) || 'attachment',
    contentType: mediaType.exec(readLine(contentType, 300).toLowerCase())?.[0] ?? 'application/octet-stream',
    kind: readLine(kind, limits.nameCharacters) || 'event.attachment',
    receivedAt,
    payload,
  }
}

function readLine(value: unknown, maxCharacters: number): string {
  if (typeof value !== 'string') return ''
  return cleanText(value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), maxCharacters)
}
