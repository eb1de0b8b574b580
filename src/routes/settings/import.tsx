import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ImportPage } from '#components/import/import-page.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { importQuery } from '#queries/imports.ts'
import { pageTitle } from '#routes/-frame/page-title.ts'

export const Route = createFileRoute('/settings/import')({
  loader: (load) => loadPageData(load, importQuery()),
  ...routeTimes('live'),
  head: () => ({ meta: [{ title: pageTitle('Import') }] }),
  component: ImportScreen,
})

function ImportScreen() {
  const { data } = useSuspenseQuery(importQuery())
  return <ImportPage view={data} />
}
