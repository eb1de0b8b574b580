import * as v from 'valibot'

/**
 * The parameters of a project's rules: the rule, or `project`, whose form for a mute is open. Links in
 * messages need a parameter, because a fragment does not survive the sign-in.
 */
export const rulesSearch = v.object({
  mute: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/))), undefined),
})
