import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { loadPageData, type PageLoad } from '#navigation/load-page-data.ts'
import { projectPageQuery, type ProjectPageName } from '#queries/project-settings.ts'
import { pageHead } from '#routes/-frame/page-title.ts'

/**
 * The route options of a project settings page. The component must be in the route's file, because the build
 * splits component code only there.
 */
export function projectRoute<Name extends ProjectPageName>(page: Name) {
  return {
    loader: (load: PageLoad & { params: { slug: string } }) =>
      loadPageData(load, projectPageQuery(page, load.params.slug)),
    head: (input: ProjectHeadInput) =>
      pageHead(`${input.loaderData?.title ?? 'Settings'} of ${input.params.slug}`, input),
  }
}

interface ProjectHeadInput {
  match: { status: string }
  params: { slug: string }
  loaderData?: { title: string } | undefined
}

/** The data of a project settings page. */
export function useProjectPage<Name extends ProjectPageName>(page: Name) {
  const { slug = '' } = useParams({ strict: false })
  return useSuspenseQuery(projectPageQuery(page, slug)).data
}
