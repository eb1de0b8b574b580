import * as v from 'valibot'
import { projectPeriods } from '#server/store/project-list-views.ts'
import { orAbsent, searchText } from './parameters.search.ts'

/** What a page of a project was just told to do; the page says that it is done. */
const projectDone = [
  'saved',
  'key-added',
  'key-enabled',
  'key-disabled',
  'key-rotated',
  'upstream-added',
  'upstream-removed',
  'member-added',
  'member-removed',
  'source-maps-deleted',
  'project-disabled',
  'project-enabled',
  'created',
  'test-sent',
  'test-dropped',
] as const

/** The URL of a page of a project. `release`: whose source maps are shown. */
export const projectPageSearch = v.object({
  done: orAbsent(v.picklist(projectDone)),
  release: orAbsent(searchText),
})

const period = orAbsent(v.picklist(projectPeriods))

/** The URL of the list of projects. */
export const projectListSearch = v.object({ period, done: orAbsent(v.picklist(['deleted'])) })

/** What the list of projects is asked for with. */
export const projectListInput = v.optional(v.object({ period }))
