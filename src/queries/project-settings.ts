import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import {
  fetchNewProject,
  fetchProjectPage,
} from '#server/console/project-settings/project-settings.functions.ts'
import { pageQuery } from './page-query.ts'

type ProjectPageView = Awaited<ReturnType<typeof fetchProjectPage>>
/** The last path segment of a project settings page. */
export type ProjectPageName = ProjectPageView['page']

/** A project settings page, by the project's slug; the source maps page optionally for one release. */
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
  return pageQuery(['projects', 'new'], fetchNewProject)
}
