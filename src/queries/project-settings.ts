import { queryOptions } from '@tanstack/react-query'
import { fetchProjectGeneral, fetchProjectKeys } from '#server/console/project-settings.functions.ts'

/** Pages with forms that post to themselves: what they show is true for one document only. */
const neverKept = { staleTime: 0, gcTime: 0 }

type FetchPage<TView> = (call: { data: { slug: string }; signal: AbortSignal }) => Promise<TView>

function pageQuery<TView>(page: string, fetchPage: FetchPage<TView>) {
  return (slug: string) =>
    queryOptions({
      queryKey: ['projects', 'page', slug, page],
      queryFn: ({ signal }) => fetchPage({ data: { slug }, signal }),
      ...neverKept,
    })
}

/** The pages of one project, by its slug. */
export const projectPageQueries = {
  general: pageQuery('general', fetchProjectGeneral),
  keys: pageQuery('keys', fetchProjectKeys),
}
