import * as v from 'valibot'

/** The parameters of `/inbox`: unread items unless all are asked for. */
export const inboxSearch = v.object({ show: v.fallback(v.optional(v.literal('all')), undefined) })
