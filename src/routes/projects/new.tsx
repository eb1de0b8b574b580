import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewProject } from '#components/project/new-project.tsx'
import { newProjectQuery } from '#queries/project-settings.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/projects/new')({
  ...pageRoute('New project', newProjectQuery),
  component: function NewProjectScreen() {
    return <NewProject view={useSuspenseQuery(newProjectQuery()).data} />
  },
})
