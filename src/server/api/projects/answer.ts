import * as v from 'valibot'
import {
  anything,
  avatarAnswer,
  instant,
  instantOrNull,
  anyText,
  textOrNull,
  userAnswer,
} from '#server/api/answer-schema.ts'

export const organizationAnswer = v.strictObject({
  id: anyText,
  slug: anyText,
  name: anyText,
  dateCreated: instant,
  isEarlyAdopter: v.boolean(),
  require2FA: v.boolean(),
  requireEmailVerification: v.boolean(),
  hasAuthProvider: v.boolean(),
  avatar: avatarAnswer,
  status: v.strictObject({ id: anyText, name: anyText }),
  role: anyText,
  orgRole: anyText,
  features: v.array(anyText),
  links: v.strictObject({ organizationUrl: anyText, regionUrl: anyText }),
})

export const projectAnswer = v.strictObject({
  id: anyText,
  slug: anyText,
  name: anyText,
  platform: textOrNull,
  dateCreated: instant,
  firstEvent: instantOrNull,
  status: anyText,
  isMember: v.boolean(),
  hasAccess: v.boolean(),
  isPublic: v.boolean(),
  isInternal: v.boolean(),
  isBookmarked: v.boolean(),
  avatar: avatarAnswer,
  organization: organizationAnswer,
  team: v.null(),
  teams: v.array(anything),
  features: v.array(anyText),
})

/** An environment of a project's events. */
export const environmentAnswer = v.strictObject({ id: anyText, name: anyText, isHidden: v.boolean() })

export const memberAnswer = v.strictObject({
  id: anyText,
  name: anyText,
  email: anyText,
  role: anyText,
  orgRole: anyText,
  pending: v.boolean(),
  expired: v.boolean(),
  user: userAnswer,
})

export const projectKeyAnswer = v.strictObject({
  id: anyText,
  name: anyText,
  label: anyText,
  public: anyText,
  projectId: v.number(),
  isActive: v.boolean(),
  dateCreated: instant,
  rateLimit: v.nullable(v.strictObject({ window: v.number(), count: v.number() })),
  dsn: v.strictObject({
    public: anyText,
    secret: anyText,
    security: anyText,
    csp: anyText,
    /** `___MONITOR_SLUG___` stands for the slug of the monitor. */
    crons: anyText,
    otlp_traces: anyText,
  }),
})

/** The owner of the token. */
export const callerAnswer = v.strictObject({ id: anyText, name: anyText, email: anyText, username: anyText })

/** The permissions of the token. */
export const rootAnswer = v.strictObject({
  version: anyText,
  auth: v.strictObject({ scopes: v.array(anyText) }),
  user: callerAnswer,
})

/** The region of an organization. */
export const regionsAnswer = v.strictObject({
  regions: v.array(v.strictObject({ name: anyText, url: anyText })),
})
