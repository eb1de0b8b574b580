import { createFileRoute } from '@tanstack/react-router'
import { ProjectMembersPage } from '#components/project/settings/project-members-page.tsx'
import { projectRoute, useProjectPage } from '#routes/-frame/project-page.tsx'

export const Route = createFileRoute('/projects/$slug/members')({
  ...projectRoute('members'),
  component: function ProjectMembersScreen() {
    return <ProjectMembersPage view={useProjectPage('members')} />
  },
})
