import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, HeadContent, Scripts, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { FormHostContext } from '#components/form/form-host-context.ts'
import { AppShell } from '#components/layout/app-shell.tsx'
import { OfflineLine } from '#components/layout/offline-line.tsx'
import { HydrationEnd } from '#framework/hydration-gate.tsx'
import { startBrowserMonitoring } from '#monitoring/browser.ts'
import { release } from '#monitoring/release.ts'
import { useOffline } from '#navigation/connection.ts'
import type { LoadClock } from '#navigation/load-clock.ts'
import { loadPageData } from '#navigation/load-page-data.ts'
import type { NavigationWatch } from '#navigation/navigation-watch.ts'
import { prefetchLater } from '#navigation/prefetch/prefetch-later.ts'
import { createFormHost } from '#queries/changes/create-form-host.ts'
import { shellQuery } from '#queries/shell.ts'
import { appConfig } from '../../app.config.ts'
import { FailureDocument } from './-frame/failure-screen.tsx'
import { Keyboard } from './-frame/keyboard.tsx'
import { pageAccess } from './-frame/page-access.ts'
import { PageAnnouncer } from './-frame/page-announcer.tsx'
import { PageDataScript } from './-frame/page-data-script.tsx'
import { usePageListeners } from './-frame/page-listeners.tsx'
import { pageMethods } from './-frame/page-methods.ts'
import { pageHead } from './-frame/page-title.ts'
import { postedForms } from './-frame/posted-forms.ts'
import { Screen } from './-frame/screen.tsx'
import { ShownNotice } from './-frame/shown-notice.tsx'
import styles from '#styles/index.css?url'

interface RouterContext {
  queryClient: QueryClient
  loadClock: LoadClock
  /** Only in the browser. */
  navigationWatch: NavigationWatch | undefined
}

export const Route = createRootRouteWithContext<RouterContext>()({
  server: { middleware: [pageMethods, postedForms, pageAccess] },
  loader: (load) => loadPageData(load, shellQuery()),
  staleTime: Infinity,
  head: ({ matches }) => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { name: 'color-scheme', content: 'light dark' },
      // An unknown path matches no other route.
      ...(matches.length === 1 ? pageHead('Not found').meta : [{ title: appConfig.name }]),
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
        <HydrationEnd />
        <PageDataScript />
        <Scripts />
      </body>
    </html>
  )
}

function RootScreen() {
  const { data: shell } = useSuspenseQuery(shellQuery())
  const { monitoring, viewer, notice, posted } = shell
  const { navigationWatch, queryClient } = Route.useRouteContext()
  const router = useRouter()
  const isOffline = useOffline()
  const [formHost] = useState(() => createFormHost({ queryClient, router }, posted))
  useEffect(() => {
    void startBrowserMonitoring(monitoring)
  }, [monitoring])
  useEffect(
    () => (navigationWatch === undefined ? undefined : prefetchLater(router, navigationWatch)),
    [router, navigationWatch],
  )
  usePageListeners({ queryClient, router })
  return (
    <AppShell release={release} viewer={viewer} isAnonymous={viewer === undefined}>
      <PageAnnouncer />
      <OfflineLine isOffline={isOffline} />
      <FormHostContext value={formHost}>
        <Screen navigationWatch={navigationWatch} />
      </FormHostContext>
      <ShownNotice posted={notice} />
      {viewer === undefined ? null : <Keyboard viewer={viewer} />}
    </AppShell>
  )
}
