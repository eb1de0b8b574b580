import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ImportPage } from '#components/import/import-page.tsx'
import { importQuery } from '#queries/imports.ts'
import { pageRoute } from '#routes/-frame/page-route.ts'

export const Route = createFileRoute('/settings/import')({
  ...pageRoute('Import', importQuery),
  component: function ImportScreen() {
    return <ImportPage view={useSuspenseQuery(importQuery()).data} />
  },
})
