import { createFileRoute } from '@tanstack/react-router'
import { GroupingPage } from '#components/project/settings/grouping-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/grouping')({
  ...projectRoute('grouping'),
  component: function GroupingScreen() {
    return <GroupingPage view={useProjectPage('grouping')} />
  },
})
