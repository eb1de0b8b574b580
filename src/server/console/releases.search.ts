import * as v from 'valibot'
import { releaseSorts } from '#server/store/release-views.ts'
import { orAbsent, searchText } from './parameters.search.ts'

/** Which releases are shown and in what order, as it stands in the URL. A value that makes no sense is as good as none. */
export const releaseListSearch = v.object({
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  q: orAbsent(searchText),
  sort: orAbsent(v.picklist(releaseSorts)),
  cursor: orAbsent(v.pipe(v.string(), v.maxLength(1_000))),
})

export type ReleaseListSearch = v.InferOutput<typeof releaseListSearch>

/** Of which project's release of that name; left out: of the one that was heard of last. */
export const releaseSearch = v.object({ project: orAbsent(searchText) })

export type ReleaseSearch = v.InferOutput<typeof releaseSearch>
