import { createFileRoute } from '@tanstack/react-router'
import { LimitsPage } from '#components/project/settings/limits-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/limits')({
  ...projectRoute('limits'),
  component: function LimitsScreen() {
    return <LimitsPage view={useProjectPage('limits')} />
  },
})
