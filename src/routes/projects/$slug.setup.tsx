import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SetupPage } from '#components/project/settings/setup-page.tsx'
import { useFirstEvent } from '#queries/issues/live-marks.ts'
import { projectPageQuery } from '#queries/project-settings.ts'
import { projectRoute } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/setup')({
  ...projectRoute('setup'),
  component: SetupScreen,
})

const refreshMs = 5_000

function SetupScreen() {
  const { slug } = Route.useParams()
  const { data } = useSuspenseQuery({
    ...projectPageQuery('setup', slug),
    // The page polls while it waits: dropped and rejected items are not announced to open pages.
    refetchInterval: ({ state }) => (state.data?.issue === undefined ? refreshMs : false),
  })
  useFirstEvent(data.project, data.issue === undefined)
  return <SetupPage view={data} />
}
