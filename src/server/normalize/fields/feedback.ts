import { parseEventId } from '#protocol/event-id.ts'
import type { Feedback } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'

const feedbackFields = new Set(['message', 'name', 'contact_email', 'url', 'associated_event_id', 'source'])

/** A context without the fields that `readFeedback` reads, which are displayed separately. */
export function withoutFeedback(context: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(context).filter(([name]) => !feedbackFields.has(name)))
}

/** Parses the feedback in an event's contexts; undefined without a text. */
export function readFeedback(event: FieldReader, contextsKey: string): Feedback | undefined {
  const contexts = event.source[contextsKey]
  if (typeof contexts !== 'object' || contexts === null || !('feedback' in contexts)) return undefined
  const reader = event.object(contextsKey)?.object('feedback')
  const message = reader?.trimmedText('message', limits.messageCharacters)
  if (reader === undefined || message === undefined) return undefined
  const feedback: Feedback = { message }
  const name = reader.trimmedText('name', limits.nameCharacters)
  const email = reader.trimmedText('contact_email', limits.nameCharacters)
  const url = reader.trimmedText('url', limits.pathCharacters)
  const aboutEventId = parseEventId(reader.source['associated_event_id'])
  const source = reader.trimmedText('source', limits.nameCharacters)
  if (name !== undefined) feedback.name = name
  if (email !== undefined) feedback.email = email
  if (url !== undefined) feedback.url = url
  if (aboutEventId !== undefined) feedback.aboutEventId = aboutEventId
  if (source !== undefined) feedback.source = source
  return feedback
}
