import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchPalette } from '#server/console/palette/palette.functions.ts'

/** The command palette's matches for a text: the previous result stays until they arrive. */
export function paletteQuery(text: string) {
  return queryOptions({
    queryKey: ['palette', text],
    queryFn: ({ signal }) => fetchPalette({ data: { text }, signal }),
    placeholderData: keepPreviousData,
    ...queryTimes('live'),
  })
}
