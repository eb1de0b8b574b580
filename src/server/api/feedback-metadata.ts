import * as v from 'valibot'
import type { Feedback } from '#protocol/event.ts'
import { anyText, textOrNull } from './answer-schema.ts'

/** The fields of feedback in the metadata of an event or issue; absent for others. */
export const feedbackMetadata = {
  message: v.optional(anyText),
  name: v.optional(textOrNull),
  contact_email: v.optional(textOrNull),
  source: v.optional(textOrNull),
}

/** Converts feedback to metadata, as Sentry's `FeedbackEvent.extract_metadata`. */
export function toFeedbackMetadata({ message, name, email, source }: Feedback) {
  return { message, name: name ?? null, contact_email: email ?? null, source: source ?? null }
}
