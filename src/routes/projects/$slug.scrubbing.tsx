import { createFileRoute } from '@tanstack/react-router'
import { ScrubbingPage } from '#components/project/settings/scrubbing-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/scrubbing')({
  ...projectRoute('scrubbing'),
  component: function ScrubbingScreen() {
    return <ScrubbingPage view={useProjectPage('scrubbing')} />
  },
})
