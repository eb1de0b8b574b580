import * as v from 'valibot'

// What answers are made of. Every object is strict, so that nothing is answered that the OpenAPI document
// does not name.

export const anyText = v.string()
export const textOrNull = v.nullable(v.string())
export const count = v.pipe(v.number(), v.integer())
/** ISO 8601. */
export const instant = v.pipe(v.string(), v.isoTimestamp())
export const instantOrNull = v.nullable(instant)
/** What an SDK sent, as it came. */
export const anything = v.unknown()
export const anyRecord = v.record(v.string(), v.unknown())

/** Somebody with an account. */
export const userAnswer = v.strictObject({
  id: anyText,
  name: anyText,
  username: anyText,
  email: anyText,
  isActive: v.boolean(),
})

/** The letters that stand for an organization, a project: there are no pictures. */
export const avatarAnswer = v.strictObject({ avatarType: v.literal('letter_avatar'), avatarUuid: v.null() })

/** A project where something else names it. */
export const projectNameAnswer = v.strictObject({
  id: anyText,
  slug: anyText,
  name: anyText,
  platform: anyText,
})
