import * as v from 'valibot'
import {
  anyRecord,
  anything,
  count,
  instant,
  projectNameAnswer,
  anyText,
  releaseNameAnswer,
  textOrNull,
  userAnswer,
} from '#server/api/answer-schema.ts'
import { feedbackMetadata } from '#server/api/feedback-metadata.ts'

/** The reopen condition of a resolved or archived issue. */
export const statusDetailsAnswer = v.strictObject({
  inRelease: v.optional(anyText),
  inNextRelease: v.optional(v.boolean()),
  ignoreUntil: v.optional(instant),
  ignoreCount: v.optional(count),
  ignoreUserCount: v.optional(count),
})

const assigneeAnswer = v.strictObject({
  type: v.literal('user'),
  id: anyText,
  name: anyText,
  email: textOrNull,
})

/** `[second, count]`, oldest first. */
const statsAnswer = v.array(v.tuple([count, count]))

/** A change of an issue. */
export const activityAnswer = v.strictObject({
  id: anyText,
  type: anyText,
  dateCreated: instant,
  /** Null for changes by Culvert. */
  user: v.nullable(v.strictObject({ id: anyText, name: anyText })),
  data: anyRecord,
})

export const issueAnswer = v.strictObject({
  id: anyText,
  shortId: anyText,
  title: anyText,
  culprit: anyText,
  permalink: anyText,
  logger: textOrNull,
  level: anyText,
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
  platform: anyText,
  project: projectNameAnswer,
  type: anyText,
  issueType: anyText,
  issueCategory: anyText,
  metadata: v.strictObject({
    type: v.optional(anyText),
    value: v.optional(anyText),
    title: anyText,
    ...feedbackMetadata,
  }),
  numComments: count,
  assignedTo: v.nullable(assigneeAnswer),
  annotations: v.array(anything),
  count: anyText,
  userCount: count,
  firstSeen: instant,
  lastSeen: instant,
  firstRelease: v.optional(releaseNameAnswer),
  lastRelease: v.optional(releaseNameAnswer),
  /** Only in the answer about a single issue. */
  activity: v.optional(v.array(activityAnswer)),
  stats: v.optional(v.strictObject({ '24h': v.optional(statsAnswer), '14d': v.optional(statsAnswer) })),
})

export type IssueAnswer = v.InferOutput<typeof issueAnswer>

export const commentAnswer = v.strictObject({
  id: anyText,
  type: v.literal('note'),
  data: v.strictObject({ text: anyText }),
  dateCreated: instant,
  user: v.nullable(userAnswer),
})

/** A linked issue of a tracker. */
export const linkAnswer = v.strictObject({
  id: anyText,
  issueId: anyText,
  serviceType: v.picklist(['github', 'gitlab', 'jira', 'linear', 'other']),
  displayName: anyText,
  webUrl: anyText,
  status: v.picklist(['open', 'closed']),
  dateCreated: instant,
})

/** The response to a change if the token lacks `event:read`. */
export const issueChangedAnswer = v.strictObject({ id: anyText, status: anyText })

/** Issue counts by search. */
export const issueCountsAnswer = v.record(v.string(), count)

/** The result of a bulk change. */
export const issuesChangedAnswer = v.strictObject({
  status: v.optional(anyText),
  statusDetails: v.optional(statusDetailsAnswer),
  assignedTo: v.optional(v.nullable(assigneeAnswer)),
  merge: v.optional(v.strictObject({ parent: anyText, children: v.array(anyText) })),
})

/** The location of an issue with a short id. */
export const shortIdAnswer = v.strictObject({
  organizationSlug: anyText,
  projectSlug: anyText,
  groupId: anyText,
  shortId: anyText,
  group: issueAnswer,
})

export const tagValueAnswer = v.strictObject({
  key: anyText,
  name: anyText,
  value: anyText,
  count,
  lastSeen: instant,
})

/** A tag of an issue with its values. */
export const tagAnswer = v.strictObject({
  key: anyText,
  name: anyText,
  totalValues: count,
  uniqueValues: count,
  topValues: v.array(tagValueAnswer),
})
