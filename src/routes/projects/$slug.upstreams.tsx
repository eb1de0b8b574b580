import { createFileRoute } from '@tanstack/react-router'
import { UpstreamsPage } from '#components/project/settings/upstreams-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/upstreams')({
  ...projectRoute('upstreams'),
  component: function UpstreamsScreen() {
    return <UpstreamsPage view={useProjectPage('upstreams')} />
  },
})
