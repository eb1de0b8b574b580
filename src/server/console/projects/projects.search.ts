import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { projectPeriods } from './views.ts'

/** The URL of a project's source maps: the release. */
export const sourceMapsSearch = v.object({ release: orAbsent(searchText) })

const period = orAbsent(v.picklist(projectPeriods))

/** The URL of the list of projects. */
export const projectListSearch = v.object({ period })

/** The input of the project list. */
export const projectListInput = v.optional(v.object({ period }))
