import * as v from 'valibot'
import { anything, avatarAnswer, instant, text, textOrNull, userAnswer } from '#server/api/answer-schema.ts'

/** An organization, as Sentry's API has it. */
export const organizationAnswer = v.strictObject({
  id: text,
  slug: text,
  name: text,
  dateCreated: instant,
  isEarlyAdopter: v.boolean(),
  require2FA: v.boolean(),
  requireEmailVerification: v.boolean(),
  hasAuthProvider: v.boolean(),
  avatar: avatarAnswer,
  status: v.strictObject({ id: text, name: text }),
  role: text,
  features: v.array(text),
  links: v.strictObject({ organizationUrl: text, regionUrl: text }),
})

/** A project, as Sentry's API has it. */
export const projectAnswer = v.strictObject({
  id: text,
  slug: text,
  name: text,
  platform: textOrNull,
  dateCreated: instant,
  status: text,
  isMember: v.boolean(),
  hasAccess: v.boolean(),
  isPublic: v.boolean(),
  isInternal: v.boolean(),
  isBookmarked: v.boolean(),
  avatar: avatarAnswer,
  organization: organizationAnswer,
  team: v.null(),
  teams: v.array(anything),
  features: v.array(text),
})

/** An environment that events of a project name. */
export const environmentAnswer = v.strictObject({ id: text, name: text, isHidden: v.boolean() })

/** A member of an organization, as Sentry's API has it. */
export const memberAnswer = v.strictObject({
  id: text,
  name: text,
  email: text,
  role: text,
  orgRole: text,
  pending: v.boolean(),
  expired: v.boolean(),
  user: userAnswer,
})

/** A key of a project, as Sentry's API has it. */
export const projectKeyAnswer = v.strictObject({
  id: text,
  name: text,
  label: text,
  public: text,
  projectId: v.number(),
  isActive: v.boolean(),
  dateCreated: instant,
  rateLimit: v.nullable(v.strictObject({ window: v.number(), count: v.number() })),
  dsn: v.strictObject({ public: text, security: text }),
})

/** Who calls. */
export const callerAnswer = v.strictObject({ id: text, name: text, email: text, username: text })

/** What the token is good for. */
export const rootAnswer = v.strictObject({
  version: text,
  auth: v.strictObject({ scopes: v.array(text) }),
  user: callerAnswer,
})

/** Where organizations are. */
export const regionsAnswer = v.strictObject({
  regions: v.array(v.strictObject({ name: text, url: text })),
})
