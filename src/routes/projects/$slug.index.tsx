import { createFileRoute } from '@tanstack/react-router'
import { GeneralPage } from '#components/project/settings/general-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/')({
  ...projectRoute('general'),
  component: function GeneralScreen() {
    return <GeneralPage view={useProjectPage('general')} />
  },
})
