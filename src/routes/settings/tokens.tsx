import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ApiTokens } from '#components/settings/api-tokens.tsx'
import { apiTokensQuery } from '#queries/settings.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/tokens')({
  ...pageRoute('API tokens', apiTokensQuery),
  component: function ApiTokensScreen() {
    return <ApiTokens view={useSuspenseQuery(apiTokensQuery()).data} />
  },
})
