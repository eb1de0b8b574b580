import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ApiTokens } from '#components/settings/api-tokens.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { apiTokensQuery } from '#queries/settings.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/tokens')({
  loader: (load) => loadPageData(load, apiTokensQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('API tokens') }] }),
  component: ApiTokensScreen,
})

function ApiTokensScreen() {
  const { data } = useSuspenseQuery(apiTokensQuery())
  return <ApiTokens view={data} />
}
