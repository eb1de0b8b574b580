import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Members } from '#components/settings/members.tsx'
import { membersQuery } from '#queries/settings.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/members')({
  ...pageRoute('Members', membersQuery),
  component: function MembersScreen() {
    return <Members view={useSuspenseQuery(membersQuery()).data} />
  },
})
