import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '#components/alert/rules-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'
import { rulesSearch } from '#server/console/alerts/rules.search.ts'

export const Route = createFileRoute('/projects/$slug/alerts')({
  ...projectRoute('alerts'),
  validateSearch: rulesSearch,
  component: function AlertsScreen() {
    return <RulesPage view={useProjectPage('alerts')} openMute={Route.useSearch().mute} />
  },
})
