import { createFileRoute } from '@tanstack/react-router'
import { OwnershipPage } from '#components/project/settings/ownership-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/ownership')({
  ...projectRoute('ownership'),
  component: function OwnershipScreen() {
    return <OwnershipPage view={useProjectPage('ownership')} />
  },
})
