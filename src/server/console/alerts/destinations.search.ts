import * as v from 'valibot'

/** The parameters of `/settings/destinations`: the channel of a new destination. */
export const destinationsSearch = v.object({
  channel: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(40))), undefined),
})
