import { createFileRoute } from '@tanstack/react-router'
import { DangerPage } from '#components/project/settings/danger-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/danger')({
  ...projectRoute('danger'),
  component: function DangerScreen() {
    return <DangerPage view={useProjectPage('danger')} />
  },
})
