import { queryTimes } from '#navigation/page-kind.ts'
import { fetchGuide } from '#server/console/guides/guides.functions.ts'
import { pageQueryFor } from './page-query.ts'

/** A page of the documentation, or its index: changes only with the version. */
export function guideQuery(name?: string) {
  return { ...pageQueryFor(['guides'], fetchGuide, { name }), ...queryTimes('settled') }
}
