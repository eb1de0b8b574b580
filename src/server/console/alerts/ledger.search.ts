import * as v from 'valibot'

/** The parameters of `/alerts`: the decisions of all rules by default. */
export const ledgerSearch = v.object({
  rule: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(100))), undefined),
})
