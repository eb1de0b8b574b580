import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { GuidePage } from '#components/guide/guide-page.tsx'
import { routeTimes } from '#navigation/page-kind.ts'
import { guideQuery } from '#queries/guides.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/docs/')({
  ...pageRoute('Documentation', () => guideQuery()),
  ...routeTimes('settled'),
  component: function GuideIndexScreen() {
    return <GuidePage view={useSuspenseQuery(guideQuery()).data} />
  },
})
