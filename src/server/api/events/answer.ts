import * as v from 'valibot'
import { securityReportKinds } from '#protocol/security-report.ts'
import {
  anything,
  anyRecord,
  count,
  instant,
  anyText,
  releaseNameAnswer,
  textOrNull,
} from '#server/api/answer-schema.ts'
import { feedbackMetadata } from '#server/api/feedback-metadata.ts'

const tagsAnswer = v.array(v.strictObject({ key: anyText, value: anyText }))

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

export const eventHeadAnswer = v.strictObject({
  id: anyText,
  eventID: anyText,
  groupID: anyText,
  projectID: anyText,
  title: anyText,
  message: anyText,
  culprit: anyText,
  platform: anyText,
  'event.type': anyText,
  dateCreated: instant,
  dateReceived: instant,
  tags: tagsAnswer,
  location: textOrNull,
  type: anyText,
  user: userAnswer,
  crashFile: v.null(),
})

export const eventAnswer = v.strictObject({
  ...eventHeadAnswer.entries,
  projectSlug: anyText,
  metadata: v.strictObject({
    type: v.optional(anyText),
    title: anyText,
    value: anyText,
    ...feedbackMetadata,
  }),
  entries: v.array(
    v.strictObject({
      type: v.picklist([
        'message',
        'exception',
        'threads',
        'template',
        'breadcrumbs',
        'request',
        ...securityReportKinds,
      ]),
      data: anything,
    }),
  ),
  contexts: anyRecord,
  context: anyRecord,
  packages: v.record(v.string(), v.string()),
  sdk: anything,
  dist: textOrNull,
  release: v.nullable(releaseNameAnswer),
  fingerprints: v.array(anyText),
  errors: v.array(v.strictObject({ type: anyText, data: v.strictObject({ name: anyText }) })),
  nextEventID: textOrNull,
  previousEventID: textOrNull,
})

export const attachmentAnswer = v.strictObject({
  id: anyText,
  event_id: anyText,
  name: anyText,
  type: anyText,
  mimetype: anyText,
  headers: v.strictObject({ 'Content-Type': anyText }),
  size: count,
  dateCreated: instant,
})
