import {
  BrowserClient,
  breadcrumbsIntegration,
  dedupeIntegration,
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
import { release } from './release.ts'

/**
 * Starts error reporting in the browser: a client put together by hand, since the SDK's `init` brings 60 kB (gzip)
 * of what is not used here. Loaded after the page is interactive.
 */
export function startClientSdk(config: MonitoringConfig): BrowserClient {
  const client = new BrowserClient({
    dsn: config.dsn,
    tunnel: config.tunnel,
    environment: config.environment,
    release,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [
      eventFiltersIntegration(),
      functionToStringIntegration(),
      globalHandlersIntegration(),
      breadcrumbsIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
    ],
  })
  getCurrentScope().setClient(client)
  client.init()
  return client
}
