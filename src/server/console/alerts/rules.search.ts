import * as v from 'valibot'

/**
 * The parameters of the rules of a project: the rule, or `project`, whose form for a mute is open. The link
 * of a message has it here and not in its fragment, which does not survive the sign-in.
 */
export const rulesSearch = v.object({
  mute: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/))), undefined),
})
