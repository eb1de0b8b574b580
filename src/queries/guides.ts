import { fetchGuide } from '#server/console/guides/guides.functions.ts'
import { pageQuery } from './page-query.ts'

/** A page of the documentation, or its index: changes only with the version. */
export function guideQuery(name?: string) {
  return pageQuery('settled', ['guides', name ?? ''], ({ signal }) => fetchGuide({ data: { name }, signal }))
}
