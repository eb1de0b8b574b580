import * as v from 'valibot'
import { orAbsent } from '#server/console/parameters.search.ts'

/** Search parameters of `/traces/$traceId`: the span whose details are shown. */
export const traceSearch = v.object({
  span: orAbsent(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))),
})
