import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { LedgerPage } from '#components/alert/ledger-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { ledgerQuery } from '#queries/alerts.ts'
import { ledgerSearch } from '#server/console/alerts/ledger.search.ts'
import { pageTitle } from './-frame/page-title.ts'

export const Route = createFileRoute('/alerts')({
  validateSearch: ledgerSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, ledgerQuery(load.deps)),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Alerts') }] }),
  component: LedgerScreen,
})

function LedgerScreen() {
  const { data } = useSuspenseQuery(ledgerQuery(Route.useSearch()))
  return <LedgerPage view={data} />
}
