import * as v from 'valibot'

const id = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/))), undefined)

/** The parameters of `/alerts`: the decisions of all rules by default, or those in a message. */
export const ledgerSearch = v.object({
  rule: id,
  message: id,
})
