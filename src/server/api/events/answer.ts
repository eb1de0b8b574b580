import * as v from 'valibot'
import { anything, anyRecord, count, instant, text, textOrNull } from '#server/api/answer-schema.ts'

const tagsAnswer = v.array(v.strictObject({ key: text, value: text }))

const userAnswer = v.nullable(
  v.strictObject({
    id: textOrNull,
    email: textOrNull,
    username: textOrNull,
    name: textOrNull,
    ip_address: textOrNull,
    data: anyRecord,
  }),
)

/** The head of an event, as lists of Sentry's API have it. */
export const eventHeadAnswer = v.strictObject({
  id: text,
  eventID: text,
  groupID: text,
  projectID: text,
  title: text,
  message: text,
  culprit: text,
  platform: text,
  'event.type': text,
  dateCreated: instant,
  dateReceived: instant,
  tags: tagsAnswer,
  location: textOrNull,
  type: text,
  user: userAnswer,
  crashFile: v.null(),
})

/** A whole event, as Sentry's API has it. */
export const eventAnswer = v.strictObject({
  ...eventHeadAnswer.entries,
  projectSlug: text,
  metadata: v.strictObject({ title: text, value: text }),
  entries: v.array(
    v.strictObject({
      type: v.picklist(['message', 'exception', 'threads', 'breadcrumbs', 'request']),
      data: anything,
    }),
  ),
  contexts: anyRecord,
  context: anyRecord,
  packages: v.record(v.string(), v.string()),
  sdk: anything,
  dist: textOrNull,
  release: v.nullable(v.strictObject({ version: text })),
  fingerprints: v.array(text),
  errors: v.array(v.strictObject({ type: text, data: v.strictObject({ name: text }) })),
  nextEventID: textOrNull,
  previousEventID: textOrNull,
})

/** Where an event is. */
export const eventPlaceAnswer = v.strictObject({
  organizationSlug: text,
  projectSlug: text,
  groupId: text,
  eventId: text,
  event: eventAnswer,
})

/** A file of an event, as Sentry's API has it. */
export const attachmentAnswer = v.strictObject({
  id: text,
  event_id: text,
  name: text,
  type: text,
  mimetype: text,
  headers: v.strictObject({ 'Content-Type': text }),
  size: count,
  dateCreated: instant,
})
