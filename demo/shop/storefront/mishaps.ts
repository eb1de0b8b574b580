import type { Mishap } from '../../visits.ts'

/** A button of the storefront that fails. */
export interface StorefrontMishap extends Mishap {
  action: string
}

const since16 = ['web@1.6.0', 'web@1.6.2']

/** The failures of the storefront, most frequent first. */
export const storefrontMishaps: readonly StorefrontMishap[] = [
  { timesPerDay: 240, action: 'next-picture' },
  { timesPerDay: 90, action: 'recommendations' },
  { timesPerDay: 60, hours: { fromHoursAgo: 7, toHoursAgo: 5.5 }, action: 'submit-order' },
  { timesPerDay: 34, action: 'reviews' },
  { timesPerDay: 30, releases: since16, action: 'restore-cart' },
  { timesPerDay: 20, action: 'slow-page' },
  { timesPerDay: 16, releases: ['web@1.4.0', 'web@1.5.0'], action: 'breadcrumb' },
  { timesPerDay: 12, action: 'remember-history' },
  { timesPerDay: 7, releases: since16, action: 'zoom' },
  { timesPerDay: 3, environment: 'staging', action: 'experiment' },
]
