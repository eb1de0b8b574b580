import * as v from 'valibot'
import {
  anyRecord,
  anything,
  count,
  instant,
  instantOrNull,
  anyText,
  textOrNull,
} from '#server/api/answer-schema.ts'

const rate = v.nullable(v.number())

const healthAnswer = v.union([
  v.strictObject({ hasHealthData: v.literal(false) }),
  v.strictObject({
    hasHealthData: v.literal(true),
    sessionsAdoption: rate,
    crashFreeSessions: rate,
    crashFreeUsers: rate,
    totalSessions: count,
    totalSessions24h: count,
    totalProjectSessions24h: count,
    totalUsers: count,
    sessionsCrashed: count,
    sessionsErrored: count,
  }),
])

export const deployAnswer = v.strictObject({
  id: anyText,
  environment: anyText,
  name: textOrNull,
  url: textOrNull,
  dateStarted: instantOrNull,
  dateFinished: instant,
})

export const commitAnswer = v.strictObject({
  id: anyText,
  message: textOrNull,
  dateCreated: instantOrNull,
  author: v.nullable(v.strictObject({ name: textOrNull, email: anyText })),
})

/** A release of one or more projects. */
export const releaseAnswer = v.strictObject({
  /** The version: releases have no number. */
  id: anyText,
  version: anyText,
  shortVersion: anyText,
  status: v.picklist(['open', 'archived']),
  ref: textOrNull,
  url: textOrNull,
  dateCreated: instant,
  dateReleased: instantOrNull,
  firstEvent: instantOrNull,
  lastEvent: instantOrNull,
  newGroups: count,
  commitCount: count,
  lastCommit: v.nullable(commitAnswer),
  deployCount: count,
  lastDeploy: v.nullable(deployAnswer),
  authors: v.array(anything),
  data: anyRecord,
  projects: v.array(
    v.strictObject({
      id: v.number(),
      slug: anyText,
      name: anyText,
      platform: textOrNull,
      newGroups: count,
      healthData: v.optional(healthAnswer),
    }),
  ),
})

export type ReleaseAnswer = v.InferOutput<typeof releaseAnswer>

/** The previous release; an empty object for none. */
export const previousReleaseAnswer = v.union([releaseAnswer, v.strictObject({})])
