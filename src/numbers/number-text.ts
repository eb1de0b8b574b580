const units = [
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'k' },
] as const

/** A count with thousands separated, the same on every machine: `12,403`. */
export function exactCount(value: number): string {
  if (!Number.isFinite(value)) return '0'
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * A count in at most four characters and a unit: `999`, `1.0k`, `12.4k`, `124k`, `3.1M`. It rounds down:
 * never `1000k`. `1.0k`, not `1k`, so that the digits of a column are below each other.
 */
export function compactCount(value: number): string {
  const unit = units.find((candidate) => value >= candidate.size)
  if (unit === undefined) return exactCount(value)
  const scaled = value / unit.size
  const shown = scaled < 100 ? (Math.floor(scaled * 10) / 10).toFixed(1) : Math.floor(scaled)
  return `${shown}${unit.suffix}`
}

const largestByteUnit = { size: 1e9, suffix: 'GB' }
const byteUnits = [{ size: 1e3, suffix: 'kB' }, { size: 1e6, suffix: 'MB' }, largestByteUnit]

/**
 * A size in bytes: `1 byte`, `999 bytes`, `1.2 kB`, `10 MB`, `1.4 GB`. It rounds down, as sizes under a limit
 * must.
 */
export function byteText(bytes: number): string {
  if (bytes < 1000) return countedNoun(bytes, 'byte')
  const { size, suffix } = byteUnits.find((unit) => bytes < unit.size * 1e3) ?? largestByteUnit
  const scaled = bytes / size
  return `${scaled < 10 ? Math.floor(scaled * 10) / 10 : exactCount(Math.floor(scaled))} ${suffix}`
}

/**
 * A share in whole percent; a part that is there but rounds to nothing is `<1%`, and one that is not all is
 * never `100%`.
 */
export function percentText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%'
  const percent = (part / whole) * 100
  if (percent < 1) return '<1%'
  return percent < 100 ? `${Math.min(99, Math.round(percent))}%` : '100%'
}

/**
 * A share in percent, rounded down, so that 100% is all: `71.4%`, `97.25%`, `99.987%`. From 90% and from
 * 99.9% on there is one more digit, because the rest is what matters there.
 */
export function okShareText(share: number): string {
  if (share >= 1) return '100%'
  if (share <= 0) return '0%'
  const percent = share * 100
  const digits = percent < 90 ? 1 : percent < 99.9 ? 2 : 3
  // The little that is added makes up for what 1 - 0.0005 loses as a floating-point number.
  const text = (Math.floor(percent * 10 ** digits + 1e-6) / 10 ** digits).toFixed(digits)
  return text === '100.000' ? '99.999%' : `${text}%`
}

/** The remaining share without `part`, in percent. A dash if the total is 0. */
export function shareLeftText(part: number, whole: number): string {
  return whole <= 0 ? '—' : okShareText(1 - part / whole)
}

/** A count and its noun: `1 event`, `12,403 events`. */
export function countedNoun(value: number, singular: string, plural = `${singular}s`): string {
  return `${exactCount(value)} ${value === 1 ? singular : plural}`
}
