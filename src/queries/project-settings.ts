import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchNewProject,
  fetchProjectPage,
} from '#server/console/project-settings/project-settings.functions.ts'

type ProjectPageView = Awaited<ReturnType<typeof fetchProjectPage>>
/** The last part of the path of a page of a project's settings. */
export type ProjectPageName = ProjectPageView['page']

/**
 * A page of a project's settings, by the project's slug; of source maps those of one release, where it is
 * named.
 */
export function projectPageQuery<Name extends ProjectPageName>(page: Name, slug: string, release?: string) {
  return queryOptions({
    queryKey: ['projects', 'page', slug, page, ...(release === undefined ? [] : [release])],
    queryFn: async ({ signal }) => {
      const view = await fetchProjectPage({ data: { page, slug, release }, signal })
      if (!isPage(view, page)) throw new TypeError(`The page ${page} was answered with ${view.page}`)
      return view
    },
    ...queryTimes('live'),
  })
}

function isPage<Name extends ProjectPageName>(
  view: ProjectPageView,
  page: Name,
): view is Extract<ProjectPageView, { page: Name }> {
  return view.page === page
}

/** The organizations in which the viewer can create projects. */
export function newProjectQuery() {
  return queryOptions({
    queryKey: ['projects', 'new'],
    queryFn: ({ signal }) => fetchNewProject({ signal }),
    ...queryTimes('live'),
  })
}
