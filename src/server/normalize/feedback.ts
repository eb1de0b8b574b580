import { parseEventId } from '#protocol/event-id.ts'
import type { Feedback } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from './field-reader.ts'

/** Reads what somebody wrote out of an event's contexts; undefined where nobody wrote anything. */
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
