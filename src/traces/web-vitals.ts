import { findAttribute, type Span } from './span.ts'

/** The web vitals, Google's core vitals first. */
export const webVitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

export type WebVital = (typeof webVitals)[number]

/**
 * The upper limit of a good value, and the lower limit of a poor one (web.dev/articles/vitals). Milliseconds;
 * for `cls` without a unit.
 */
const vitalLimits: Readonly<Record<WebVital, { good: number; poor: number }>> = {
  lcp: { good: 2500, poor: 4000 },
  inp: { good: 200, poor: 500 },
  cls: { good: 0.1, poor: 0.25 },
  fcp: { good: 1800, poor: 3000 },
  ttfb: { good: 800, poor: 1800 },
}

export type VitalRating = 'good' | 'fair' | 'poor'

/** The rating of a value. */
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

/** The web vitals of a span, which is a page load or an interaction. Drops implausible values. */
export function findVitals(span: Span): [vital: WebVital, value: number][] {
  return webVitals.flatMap((vital): [WebVital, number][] => {
    const value = findAttribute(span, `browser.web_vital.${vital}.value`)
    const isPlausible = typeof value === 'number' && value >= 0 && value <= maximum[vital]
    return isPlausible ? [[vital, value]] : []
  })
}

/** Larger values come from pages in the background or from clock changes. */
const maximum: Readonly<Record<WebVital, number>> = {
  lcp: 300_000,
  inp: 300_000,
  cls: 100,
  fcp: 300_000,
  ttfb: 300_000,
}

/** The device class from the browser's user agent: the span's own, else the request's. */
export function deviceOf(span: Span, requestAgent = ''): Device {
  const own = findAttribute(span, 'user_agent.original')
  const agent = typeof own === 'string' ? own : requestAgent
  // A tunnel may send the user agent of a server, which does not identify the device.
  if (!agent.startsWith('Mozilla/')) return 'unknown'
  return /Mobi|Android|iPad|iPhone/.test(agent) ? 'mobile' : 'desktop'
}
