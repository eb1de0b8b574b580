import { createFileRoute } from '@tanstack/react-router'
import { InboundPage } from '#components/project/settings/inbound-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/inbound')({
  ...projectRoute('inbound'),
  component: function InboundScreen() {
    return <InboundPage view={useProjectPage('inbound')} />
  },
})
