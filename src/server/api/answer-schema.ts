import * as v from 'valibot'

// Schemas shared by responses. Every object is strict, so that no response has a field that the OpenAPI
// document lacks.

export const anyText = v.string()
export const textOrNull = v.nullable(v.string())
export const count = v.pipe(v.number(), v.integer())
/** ISO 8601. */
export const instant = v.pipe(v.string(), v.isoTimestamp())
export const instantOrNull = v.nullable(instant)
/** Data of an SDK, unchanged. */
export const anything = v.unknown()
export const anyRecord = v.record(v.string(), v.unknown())

/** A user. */
export const userAnswer = v.strictObject({
  id: anyText,
  name: anyText,
  username: anyText,
  email: anyText,
  isActive: v.boolean(),
})

/** The initials of an organization or a project. Pictures are not supported. */
export const avatarAnswer = v.strictObject({ avatarType: v.literal('letter_avatar'), avatarUuid: v.null() })

/** A reference to a release. Culvert does not shorten versions. */
export const releaseNameAnswer = v.strictObject({ version: anyText, shortVersion: anyText })

/** A reference to a project. */
export const projectNameAnswer = v.strictObject({
  id: anyText,
  slug: anyText,
  name: anyText,
  platform: anyText,
})
