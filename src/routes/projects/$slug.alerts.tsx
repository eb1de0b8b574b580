import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '#components/alert/rules-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/alerts')({
  ...projectRoute('alerts'),
  component: function AlertsScreen() {
    return <RulesPage view={useProjectPage('alerts')} />
  },
})
