import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchPalette } from '#server/console/palette/palette.functions.ts'

/** What the command palette finds for a text: the answer before it stays until it has come. */
export function paletteQuery(text: string) {
  return queryOptions({
    queryKey: ['palette', text],
    queryFn: ({ signal }) => fetchPalette({ data: { text }, signal }),
    placeholderData: keepPreviousData,
    ...queryTimes('live'),
  })
}
