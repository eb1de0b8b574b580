import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { TransactionPage } from '#components/performance/transaction-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { transactionQuery } from '#queries/performance.ts'
import { pageHead } from '#routes/-frame/page-title.ts'
import { transactionSearch } from '#server/console/performance/performance.search.ts'

export const Route = createFileRoute('/performance/$project/$transaction')({
  validateSearch: transactionSearch,
  loaderDeps: ({ search }) => search,
  loader: (load) => loadPageData(load, transactionQuery(load.params, load.deps)),
  head: (page) => pageHead(page.loaderData?.name ?? 'Transaction', page),
  component: TransactionScreen,
})

function TransactionScreen() {
  const search = Route.useSearch()
  const { data } = useSuspenseQuery(transactionQuery(Route.useParams(), search))
  return <TransactionPage view={data} search={search} />
}
