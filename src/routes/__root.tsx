import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, HeadContent, Outlet, Scripts } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'

import { AppShell } from '#components/layout/app-shell.tsx'
import { startBrowserMonitoring } from '#monitoring/browser.ts'
import { monitoringConfigQuery } from '#queries/monitoring.ts'
import styles from '#styles/index.css?url'

import { appConfig } from '../../app.config.ts'
import { FailureDocument } from './-failure-screen.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  loader: ({ context }) => context.queryClient.fetchQuery(monitoringConfigQuery()),
  staleTime: Infinity,
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { name: 'color-scheme', content: 'light dark' },
      { title: appConfig.name },
    ],
    links: [
      { rel: 'stylesheet', href: styles },
      { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
    ],
  }),
  shellComponent: Document,
  component: RootScreen,
  errorComponent: FailureDocument,
})

function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

function RootScreen() {
  const monitoring = Route.useLoaderData()
  useEffect(() => {
    void startBrowserMonitoring(monitoring)
  }, [monitoring])
  return (
    <AppShell>
      <Outlet />
    </AppShell>
  )
}
