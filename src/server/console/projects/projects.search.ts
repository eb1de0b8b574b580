import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { projectPeriods } from './views.ts'

/** The URL of a project's source maps: the release. */
export const sourceMapsSearch = v.object({ release: orAbsent(searchText) })

/** The URL of the list of projects. */
export const projectListSearch = v.object({ period: orAbsent(v.picklist(projectPeriods)) })
