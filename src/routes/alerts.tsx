import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LedgerPage } from '#components/alert/ledger-page.tsx'
import { ledgerQuery } from '#queries/alerts.ts'
import { ledgerSearch } from '#server/console/alerts/ledger.search.ts'
import { pageRoute } from './-frame/page-route.ts'

export const Route = createFileRoute('/alerts')({
  validateSearch: ledgerSearch,
  loaderDeps: ({ search }) => search,
  ...pageRoute('Alerts', ledgerQuery),
  component: function LedgerScreen() {
    return <LedgerPage view={useSuspenseQuery(ledgerQuery(Route.useSearch())).data} />
  },
})
