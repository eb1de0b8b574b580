import { createFileRoute } from '@tanstack/react-router'
import { KeysPage } from '#components/project/settings/keys-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/keys')({
  ...projectRoute('keys'),
  component: function KeysScreen() {
    return <KeysPage view={useProjectPage('keys')} />
  },
})
