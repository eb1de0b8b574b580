/**
 * Counts of values by bucket. Bucket `i` starts at `2 ** (i / 16)`, so the bounds are fixed, and histograms
 * of minutes, releases or servers can be added exactly. These are the buckets of OpenTelemetry's exponential
 * histogram of scale 4.
 */
export type LogHistogram = Map<number, number>

/** Buckets per factor of two. A value is at most 2.2 % from the middle of its bucket. */
const bucketsPerOctave = 16

/** The bucket of the largest value, 2 ** 48: days in microseconds, and bytes. */
const lastBucket = 48 * bucketsPerOctave

/** The bucket of a value. Values below 1 are in the first one. */
export function histogramBucketOf(value: number): number {
  if (!(value > 1)) return 0
  return Math.min(lastBucket, Math.floor(Math.log2(value) * bucketsPerOctave))
}

/** The geometric middle of a bucket, which represents its values. */
function valueOfBucket(bucket: number): number {
  return 2 ** ((bucket + 0.5) / bucketsPerOctave)
}

/** The lower bound of a bucket. */
export function startOfBucket(bucket: number): number {
  return 2 ** (bucket / bucketsPerOctave)
}

/** Counts a value. */
export function addValue(histogram: LogHistogram, value: number, count = 1): void {
  addToBucket(histogram, histogramBucketOf(value), count)
}

/** Adds to a bucket. */
export function addToBucket(histogram: LogHistogram, bucket: number, count: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + count)
}

/** Adds all of another histogram. */
export function addHistogram(histogram: LogHistogram, other: LogHistogram): void {
  for (const [bucket, count] of other) addToBucket(histogram, bucket, count)
}

/** The total count. */
export function countValues(histogram: LogHistogram): number {
  let sum = 0
  for (const count of histogram.values()) sum += count
  return sum
}

/**
 * The value at a quantile from 0 to 1, by nearest rank: within 2.2 % of the exact one. Undefined for an empty
 * histogram.
 */
export function quantileOf(histogram: LogHistogram, quantile: number): number | undefined {
  return quantilesOf(histogram, [quantile])[0]
}

/** The values at several quantiles, in ascending order; empty for an empty histogram. */
export function quantilesOf(histogram: LogHistogram, quantiles: readonly number[]): number[] {
  const total = countValues(histogram)
  const values: number[] = []
  let passed = 0
  for (const [bucket, count] of sortedBuckets(histogram)) {
    passed += count
    while (values.length < quantiles.length) {
      if (passed < Math.max(1, Math.ceil((quantiles[values.length] ?? 1) * total))) break
      values.push(valueOfBucket(bucket))
    }
  }
  return values
}

/**
 * Apdex: requests within the threshold are satisfied, those within four times the threshold count half. From
 * 0 to 1; undefined for an empty histogram.
 */
export function apdexOf(histogram: LogHistogram, threshold: number): number | undefined {
  let [total, satisfied, tolerating] = [0, 0, 0]
  for (const [bucket, count] of histogram) {
    const value = valueOfBucket(bucket)
    total += count
    if (value <= threshold) satisfied += count
    else if (value <= 4 * threshold) tolerating += count
  }
  return total === 0 ? undefined : (satisfied + tolerating / 2) / total
}

/** The buckets with their counts, the smallest values first. */
export function sortedBuckets(histogram: LogHistogram): [bucket: number, count: number][] {
  return [...histogram].toSorted(([one], [other]) => one - other)
}

/**
 * Encodes a histogram as pairs of varints: the distance from the previous bucket and the count. Usually two
 * to three bytes per bucket. A pair with count 0 restarts at the first bucket, so SQL can add histograms by
 * concatenating their bytes with `00 00` in between.
 */
export function encodeHistogram(histogram: LogHistogram): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  let last = 0
  for (const [bucket, count] of sortedBuckets(histogram)) {
    if (count === 0) continue
    writeVarint(bytes, bucket - last)
    writeVarint(bytes, count)
    last = bucket
  }
  return Uint8Array.from(bytes)
}

/** Decodes the bytes of `encodeHistogram`. Of damaged bytes, the part before the damage is decoded. */
export function decodeHistogram(bytes: Uint8Array): LogHistogram {
  const histogram: LogHistogram = new Map()
  let bucket = 0
  let at = 0
  const readVarint = () => {
    let value = 0
    for (let factor = 1; at < bytes.length && factor < 2 ** 50; factor *= 128) {
      const byte = bytes[at] ?? 0
      at += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    return undefined
  }
  while (at < bytes.length) {
    const distance = readVarint()
    const count = readVarint()
    if (distance === undefined || count === undefined) break
    bucket = count === 0 ? 0 : bucket + distance
    if (bucket > lastBucket) break
    if (count > 0) addToBucket(histogram, bucket, count)
  }
  return histogram
}

/** Counts of all buckets, in which many histograms are added up. */
export type DenseHistogram = Float64Array

/** An empty histogram. */
export function createDenseHistogram(): DenseHistogram {
  return new Float64Array(lastBucket + 1)
}

/**
 * Adds the bytes of `encodeHistogram`, in a tenth of the time of `decodeHistogram`: a page adds up thousands
 * of them.
 */
export function addEncodedHistogram(counts: DenseHistogram, bytes: Uint8Array): void {
  let [bucket, distance, value, factor] = [0, 0, 0, 1]
  let isCount = false
  for (const byte of bytes) {
    if (factor >= 2 ** 50) return
    value += (byte & 127) * factor
    factor *= 128
    if (byte >= 128) continue
    if (!isCount) distance = value
    else if (value === 0) bucket = 0
    else {
      bucket += distance
      if (bucket > lastBucket) return
      counts[bucket] = (counts[bucket] ?? 0) + value
    }
    isCount = !isCount
    value = 0
    factor = 1
  }
}

/** Converts to a histogram of the buckets with values. */
export function toLogHistogram(counts: DenseHistogram): LogHistogram {
  const histogram: LogHistogram = new Map()
  for (let bucket = 0; bucket <= lastBucket; bucket += 1) {
    const count = counts[bucket] ?? 0
    if (count > 0) histogram.set(bucket, count)
  }
  return histogram
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}
