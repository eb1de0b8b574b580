import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { loadPageData, type PageLoad } from '#navigation/load-page-data.ts'
import { projectPageQuery, type ProjectPageName } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

/**
 * The route options of a project settings page. The component must be in the route's file, because the build
 * splits component code only there.
 */
export function projectRoute<Name extends ProjectPageName>(page: Name) {
  return {
    loader: (load: PageLoad & { params: { slug: string } }) =>
      loadPageData(load, projectPageQuery(page, load.params.slug)),
    head: ({ params: { slug }, loaderData }: ProjectHeadInput) => ({
      meta: [{ title: pageTitle(loaderData === undefined ? slug : `${loaderData.title} of ${slug}`) }],
    }),
  }
}

interface ProjectHeadInput {
  params: { slug: string }
  loaderData?: { title: string } | undefined
}

/** The data of a project settings page. */
export function useProjectPage<Name extends ProjectPageName>(page: Name) {
  const { slug = '' } = useParams({ strict: false })
  return useSuspenseQuery(projectPageQuery(page, slug)).data
}
