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
    // Many customers have the same error in succession, which the SDK would drop as duplicates.
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

/** Time limit for sending the SDK's queue, on a busy machine. */
const flushMs = 60_000

/** Visits after which the SDK's requests are awaited; it queues at most 40. */
const visitsPerFlush = 20

window.visit = async (visits) => {
  for (const [index, { action, happenedAt, customer }] of visits.entries()) {
    const scope = Sentry.getIsolationScope()
    scope.clearBreadcrumbs()
    scope.setSDKProcessingMetadata(shiftTo(happenedAt))
    scope.setUser({ id: customer.id, email: customer.email })
    scope.setTags({ 'customer.tier': customer.tier, page: 'product' })
    // In its own task, like a customer's click, so that the stack trace starts there.
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
