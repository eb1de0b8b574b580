import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { GuidePage } from '#components/guide/guide-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { guideQuery } from '#queries/guides.ts'
import { pageHead } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/docs/$guide')({
  loader: (load) => loadPageData(load, guideQuery(load.params.guide)),
  ...routeTimes('settled'),
  head: (page) => pageHead(`Documentation: ${page.params.guide}`, page),
  component: GuideScreen,
})

function GuideScreen() {
  const { guide } = Route.useParams()
  const { data } = useSuspenseQuery(guideQuery(guide))
  return <GuidePage view={data} />
}
