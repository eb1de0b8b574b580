import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { healthPeriods, releaseSorts } from '#server/store/releases/records.ts'

/** The filter and order of the release list in the URL. Invalid values are ignored. */
export const releaseListSearch = v.object({
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  q: orAbsent(searchText),
  sort: orAbsent(v.picklist(releaseSorts)),
  cursor: orAbsent(v.pipe(v.string(), v.maxLength(1_000))),
})

export type ReleaseListSearch = Partial<v.InferOutput<typeof releaseListSearch>>

/** Selects one of the releases with the name, and the sessions to show. */
export const releaseSearch = v.object({
  /** By default the project in which the release was last seen. */
  project: orAbsent(searchText),
  period: orAbsent(v.picklist(healthPeriods)),
  environment: orAbsent(searchText),
})

export type ReleaseSearch = Partial<v.InferOutput<typeof releaseSearch>>
