import * as v from 'valibot'
import { orAbsent } from './parameters.search.ts'

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
  'project-disabled',
  'project-enabled',
  'created',
  'test-sent',
] as const

/** The URL of a page of a project. */
export const projectPageSearch = v.object({ done: orAbsent(v.picklist(projectDone)) })
