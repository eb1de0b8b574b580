import * as v from 'valibot'
import {
  anything,
  count,
  instant,
  projectNameAnswer,
  text,
  textOrNull,
  userAnswer,
} from '#server/api/answer-schema.ts'

/** What brings an issue back that is resolved or archived. */
const statusDetailsAnswer = v.strictObject({
  inRelease: v.optional(text),
  inNextRelease: v.optional(v.boolean()),
  ignoreUntil: v.optional(instant),
  ignoreCount: v.optional(count),
  ignoreUserCount: v.optional(count),
})

/** Who looks after an issue. */
const assigneeAnswer = v.strictObject({ type: v.literal('user'), id: text, name: text, email: textOrNull })

/** `[second, count]`, oldest first. */
const statsAnswer = v.array(v.tuple([count, count]))

const releaseName = v.strictObject({ version: text })

/** An issue, as Sentry's API has it. */
export const issueAnswer = v.strictObject({
  id: text,
  shortId: text,
  title: text,
  culprit: text,
  permalink: text,
  logger: textOrNull,
  level: text,
  priority: v.picklist(['high', 'medium', 'low']),
  status: v.picklist(['unresolved', 'resolved', 'ignored']),
  substatus: v.nullable(
    v.picklist([
      'new',
      'ongoing',
      'regressed',
      'archived_forever',
      'archived_until_condition_met',
      'archived_until_escalating',
    ]),
  ),
  statusDetails: statusDetailsAnswer,
  isPublic: v.boolean(),
  isBookmarked: v.boolean(),
  isSubscribed: v.boolean(),
  shareId: v.null(),
  subscriptionDetails: v.null(),
  hasSeen: v.boolean(),
  isUnhandled: v.boolean(),
  platform: text,
  project: projectNameAnswer,
  type: text,
  issueType: text,
  issueCategory: text,
  metadata: v.strictObject({ type: v.optional(text), value: v.optional(text), title: text }),
  numComments: count,
  assignedTo: v.nullable(assigneeAnswer),
  annotations: v.array(anything),
  count: text,
  userCount: count,
  firstSeen: instant,
  lastSeen: instant,
  firstRelease: v.optional(releaseName),
  lastRelease: v.optional(releaseName),
  stats: v.optional(v.strictObject({ '24h': v.optional(statsAnswer), '14d': v.optional(statsAnswer) })),
})

/** An issue as it is answered. */
export type IssueAnswer = v.InferOutput<typeof issueAnswer>

/** A comment on an issue, as Sentry's API has it. */
export const commentAnswer = v.strictObject({
  id: text,
  type: v.literal('note'),
  data: v.strictObject({ text }),
  dateCreated: instant,
  user: v.nullable(userAnswer),
})

/** What a change is answered with where the token may not read issues. */
export const issueChangedAnswer = v.strictObject({ id: text, status: text })

/** By search: how many issues. */
export const issueCountsAnswer = v.record(v.string(), count)

/** What became of several issues that were changed at once. */
export const issuesChangedAnswer = v.strictObject({
  status: v.optional(text),
  statusDetails: v.optional(statusDetailsAnswer),
  assignedTo: v.optional(v.nullable(assigneeAnswer)),
  merge: v.optional(v.strictObject({ parent: text, children: v.array(text) })),
})

/** Where the issue with a short id is. */
export const shortIdAnswer = v.strictObject({
  organizationSlug: text,
  projectSlug: text,
  groupId: text,
  shortId: text,
  group: issueAnswer,
})

/** A value of a tag of an issue. */
export const tagValueAnswer = v.strictObject({ key: text, name: text, value: text, count, lastSeen: instant })

/** A tag of an issue, with its values. */
export const tagAnswer = v.strictObject({
  key: text,
  name: text,
  totalValues: count,
  uniqueValues: count,
  topValues: v.array(tagValueAnswer),
})
