import * as v from 'valibot'

/** The parameters of `/inbox`: unread items by default. */
export const inboxSearch = v.object({ show: v.fallback(v.optional(v.literal('all')), undefined) })
