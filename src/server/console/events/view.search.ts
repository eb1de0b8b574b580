import * as v from 'valibot'
import { levels } from '#protocol/event.ts'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { trendPeriods } from '#server/store/issues/records.ts'

const eventViewFields = {
  frames: orAbsent(v.picklist(['all', 'raw'])),
  order: orAbsent(v.picklist(['root-first'])),
  crumbs: orAbsent(searchText),
  crumbLevel: orAbsent(v.picklist(levels)),
  allCrumbs: orAbsent(v.picklist(['yes'])),
}

/** The URL parameters of an event's view; the page data is the same for all. */
export const eventViewSearch = v.object(eventViewFields)

/** The same for the issue page, with the period of its trend. */
export const issueViewSearch = v.object({ ...eventViewFields, trend: orAbsent(v.picklist(trendPeriods)) })
