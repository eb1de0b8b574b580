import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SetupPage } from '#components/project/settings/setup-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { useFirstEvent } from '#queries/issues/live-marks.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/projects/$slug/setup')({
  loader: (load) => loadPageData(load, projectPageQuery('setup', load.params.slug)),
  ...routeTimes('live'),
  head: ({ params }) => ({ meta: [{ title: pageTitle(`Set-up of ${params.slug}`) }] }),
  component: SetupScreen,
})

const refreshMs = 5_000

function SetupScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery({
    ...projectPageQuery('setup', slug),
    // What was dropped or rejected is shown while the page waits; nothing announces it.
    refetchInterval: ({ state }) => (state.data?.issue === undefined ? refreshMs : false),
  })
  useFirstEvent(data.project, data.issue === undefined)
  return <SetupPage view={data} />
}
