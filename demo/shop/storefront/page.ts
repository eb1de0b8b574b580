import * as Sentry from '@sentry/browser'
import { moveToPast, shiftTo } from '../../past.ts'
import type { CountedSessions } from '../../sessions.ts'
import {
  chooseVariant,
  loadRecommendations,
  rememberHistory,
  reportSlowPage,
  restoreCart,
  startReviews,
  submitOrder,
} from './checkout.ts'
import { showBreadcrumb, showNextPicture, zoomPicture } from './gallery.ts'
import { findButton, onAction } from './shop-window.ts'

const { dsn = '', release = '', environment = '' } = document.documentElement.dataset

Sentry.init({
  dsn,
  release,
  environment,
  tracesSampleRate: 1,
  tracePropagationTargets: [],
  beforeSend: moveToPast,
  beforeSendTransaction: moveToPast,
  integrations: (defaults) => [
    // Many customers see the same error in a row here; the SDK would take the second for a repetition of the
    // first.
    ...defaults.filter(({ name }) => name !== 'Dedupe' && name !== 'BrowserSession'),
    Sentry.browserTracingIntegration(),
    Sentry.captureConsoleIntegration({ levels: ['error'] }),
  ],
})

onAction('next-picture', showNextPicture)
onAction('zoom', async () => zoomPicture().catch((thrown: unknown) => Sentry.captureException(thrown)))
onAction('breadcrumb', showBreadcrumb)
onAction('submit-order', submitOrder)
onAction('recommendations', loadRecommendations)
onAction('restore-cart', restoreCart)
onAction('remember-history', rememberHistory)
onAction('experiment', () => chooseVariant([]))
onAction('slow-page', reportSlowPage)
onAction('reviews', startReviews)

/** A customer's visit: the customer, the time (Unix milliseconds), and the failing button. */
export interface StorefrontVisit {
  action: string
  happenedAt: number
  customer: { id: string; email: string; tier: string }
}

declare global {
  interface Window {
    visit: (visits: StorefrontVisit[]) => Promise<void>
    tellSessions: (items: CountedSessions[]) => Promise<void>
  }
}

/** How long what the SDK has may take to go out, on a machine that is busy. */
const flushMs = 60_000

/** Visits before the SDK's requests are waited for; it keeps at most 40 of them. */
const visitsPerFlush = 20

window.visit = async (visits) => {
  for (const [index, { action, happenedAt, customer }] of visits.entries()) {
    const scope = Sentry.getIsolationScope()
    scope.clearBreadcrumbs()
    scope.setSDKProcessingMetadata(shiftTo(happenedAt))
    scope.setUser({ id: customer.id, email: customer.email })
    scope.setTags({ 'customer.tier': customer.tier, page: 'product' })
    // In a turn of its own, as a customer's click is; the stack trace starts there.
    setTimeout(() => findButton(action).click(), 0)
    // The effects of the click, including requests, are complete before the next customer.
    await new Promise((resolve) => setTimeout(resolve, 15))
    if (index % visitsPerFlush === visitsPerFlush - 1) await Sentry.flush(flushMs)
  }
  await Sentry.flush(flushMs)
}

window.tellSessions = async (items) => {
  for (const sessions of items) Sentry.getClient()?.sendSession(sessions)
  await Sentry.flush(flushMs)
}
