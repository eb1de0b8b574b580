import * as v from 'valibot'
import { anything, anyRecord, instant, text, textOrNull } from './answer-schema.ts'

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

/** What every list says of an event. */
const identity = {
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
}

/** The head of an event, as lists of Sentry's API have it. */
export const eventHeadAnswer = v.strictObject({
  ...identity,
  location: textOrNull,
  type: text,
  user: userAnswer,
  crashFile: v.null(),
})

/** A whole event, as Sentry's API has it. */
export const eventAnswer = v.strictObject({
  ...eventHeadAnswer.entries,
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

/** An event of a project's list. */
export const projectEventAnswer = v.strictObject({ ...identity, user: v.null() })

/** Where an event is. */
export const eventPlaceAnswer = v.strictObject({
  organizationSlug: text,
  projectSlug: text,
  groupId: text,
  eventId: text,
  event: eventAnswer,
})
