import {
  BrowserClient,
  breadcrumbsIntegration,
  defaultStackParser,
  eventFiltersIntegration,
  functionToStringIntegration,
  getCurrentScope,
  globalHandlersIntegration,
  httpContextIntegration,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/tanstackstart-react'
import type { MonitoringConfig } from './config.ts'
import { dedupeExcept } from './dedupe.ts'
import { findNoise } from './noise-filter.ts'
import { release } from './release.ts'

/** Of errors that Culvert captures itself: each has a digest, and that may stand on a page. */
export const ownMechanism = 'culvert.browser'

/**
 * Starts error reporting in the browser: a client put together by hand, since the SDK's `init` brings 60 kB
 * (gzip) of what is not used here. Loaded after the page is interactive. What is noise stays in the browser;
 * the SDK's client reports tell how much that was.
 */
export function startClientSdk(config: MonitoringConfig): BrowserClient {
  const client = new BrowserClient({
    dsn: config.dsn,
    tunnel: config.tunnel,
    environment: config.environment,
    release,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    sendClientReports: true,
    beforeSend: (event, { originalException }) =>
      findNoise(event, { originalException }) === undefined ? event : null,
    integrations: [
      eventFiltersIntegration(),
      functionToStringIntegration(),
      globalHandlersIntegration(),
      breadcrumbsIntegration(),
      linkedErrorsIntegration(),
      dedupeExcept(ownMechanism),
      httpContextIntegration(),
    ],
  })
  getCurrentScope().setClient(client)
  client.init()
  return client
}
