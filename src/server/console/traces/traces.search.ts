import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'

/** Search parameters of `/traces/$traceId`: the span whose details are shown. */
export const traceSearch = v.object({ span: orAbsent(searchText) })
