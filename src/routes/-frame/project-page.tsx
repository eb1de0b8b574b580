import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { loadPageData, type PageLoad } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { projectPageQuery, type ProjectPageName } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

/**
 * The options of a route for a page of a project's settings. Its component is in the route's own file: the
 * build splits the code of a component only from there.
 */
export function projectRoute<Name extends ProjectPageName>(page: Name) {
  return {
    loader: (load: PageLoad & { params: { slug: string } }) =>
      loadPageData(load, projectPageQuery(page, load.params.slug)),
    ...routeTimes('live'),
    head: ({ params: { slug }, loaderData }: ProjectHeadInput) => ({
      meta: [{ title: pageTitle(loaderData === undefined ? slug : `${loaderData.title} of ${slug}`) }],
    }),
  }
}

interface ProjectHeadInput {
  params: { slug: string }
  loaderData?: { title: string } | undefined
}

/** The data of a page of a project's settings. */
export function useProjectPage<Name extends ProjectPageName>(page: Name) {
  const { slug = '' } = useParams({ strict: false })
  return useSuspenseQuery(projectPageQuery(page, slug)).data
}
