import { findAttribute, type Span } from './span.ts'

/** The web vitals, the three that Google calls core first. */
export const webVitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

export type WebVital = (typeof webVitals)[number]

/**
 * Up to which value a vital is good, and from which on it is poor (web.dev/articles/vitals). Milliseconds; of
 * `cls` a number without a unit.
 */
const vitalLimits: Readonly<Record<WebVital, { good: number; poor: number }>> = {
  lcp: { good: 2500, poor: 4000 },
  inp: { good: 200, poor: 500 },
  cls: { good: 0.1, poor: 0.25 },
  fcp: { good: 1800, poor: 3000 },
  ttfb: { good: 800, poor: 1800 },
}

export type VitalRating = 'good' | 'fair' | 'poor'

/** How good a value is. */
export function rateVital(vital: WebVital, value: number): VitalRating {
  const { good, poor } = vitalLimits[vital]
  if (value <= good) return 'good'
  return value > poor ? 'poor' : 'fair'
}

/** True for a text that names a vital. */
export function isWebVital(text: string): text is WebVital {
  return webVitals.some((vital) => vital === text)
}

/** Classes of devices. */
export const devices = ['desktop', 'mobile', 'unknown'] as const

export type Device = (typeof devices)[number]

/** The vitals that a span reports: of a page load, or of an interaction. Implausible values are left out. */
export function findVitals(span: Span): [vital: WebVital, value: number][] {
  return webVitals.flatMap((vital): [WebVital, number][] => {
    const value = findAttribute(span, `browser.web_vital.${vital}.value`)
    const isPlausible = typeof value === 'number' && value >= 0 && value <= maximum[vital]
    return isPlausible ? [[vital, value]] : []
  })
}

/** Larger values are of pages in the background or of clocks that were set. */
const maximum: Readonly<Record<WebVital, number>> = {
  lcp: 300_000,
  inp: 300_000,
  cls: 100,
  fcp: 300_000,
  ttfb: 300_000,
}

/** The class of device by the browser's user agent: the span's own, else that of the request. */
export function deviceOf(span: Span, requestAgent = ''): Device {
  const own = findAttribute(span, 'user_agent.original')
  const agent = typeof own === 'string' ? own : requestAgent
  // A tunnel may send the agent of a server, which says nothing of the device.
  if (!agent.startsWith('Mozilla/')) return 'unknown'
  return /Mobi|Android|iPad|iPhone/.test(agent) ? 'mobile' : 'desktop'
}
