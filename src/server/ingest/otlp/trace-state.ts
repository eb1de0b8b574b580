/** The rejection threshold in OpenTelemetry's entry of a `tracestate`. */
const threshold = /(?:^|,)\s*ot=(?:[^,]*;)?th:([0-9a-f]{1,14})(?=[;,\s]|$)/i

/** Digits that a number represents exactly; the last of 14 is below the smallest share that counts. */
const exactDigits = 13

/**
 * The share of traces that a span's sampler keeps, in (0, 1], by OpenTelemetry's probability sampling: traces
 * whose random value is below the threshold, hex digits after the point, are dropped. Undefined without a
 * threshold.
 */
export function findSampleRate(traceState: unknown): number | undefined {
  const [, digits] = (typeof traceState === 'string' && threshold.exec(traceState)) || []
  if (digits === undefined) return undefined
  const rejected = Number.parseInt(digits.slice(0, exactDigits).padEnd(exactDigits, '0'), 16)
  return 1 - rejected / 16 ** exactDigits
}
