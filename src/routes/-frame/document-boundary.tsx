import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { FailurePage } from '#components/failure/failure-page.tsx'
import { startBrowserMonitoring } from '#monitoring/browser.ts'
import { failureOf } from '#monitoring/failure-of.ts'
import { release } from '#monitoring/release.ts'
import { fetchShell } from '#server/console/shell/shell.functions.ts'
import { appConfig } from '../../../app.config.ts'
import styles from '#styles/index.css?url'

/**
 * Surrounds the whole application in the browser: an error of the document itself or of hydration shows the
 * failure page in a new document. The router's boundary would show the error message to the user.
 */
export function DocumentBoundary({ children }: { children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 'document'} errorComponent={FailureInstead}>
      {children}
    </CatchBoundary>
  )
}

/** Uses neither the router nor the previous page, because either may have failed. */
function FailureInstead({ error }: { error: unknown }) {
  const [{ side, digest, at }] = useState(() => failureOf(error))
  const [isSignedIn, setSignedIn] = useState(false)
  useEffect(() => {
    // Captured errors wait until the root screen starts the SDK, which may never have rendered.
    void fetchShell().then(
      ({ monitoring, viewer }) => {
        setSignedIn(viewer !== undefined)
        return startBrowserMonitoring(monitoring)
      },
      () => {},
    )
  }, [])
  const title = `${appConfig.failurePage.heading} · ${appConfig.name}`
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href={styles} />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      </head>
      <body>
        <main>
          <FailurePage
            side={side}
            digest={digest}
            at={at}
            isSignedIn={isSignedIn}
            onRetry={() => location.reload()}
          />
        </main>
        <footer className="site-footer">
          <span>
            {appConfig.name} {release}
          </span>
        </footer>
      </body>
    </html>
  )
}
