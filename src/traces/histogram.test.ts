import { describe, expect, it } from 'vitest'
import {
  addEncodedHistogram,
  addHistogram,
  addValue,
  apdexOf,
  histogramBucketOf,
  countValues,
  createDenseHistogram,
  decodeHistogram,
  encodeHistogram,
  quantileOf,
  sortedBuckets,
  startOfBucket,
  toLogHistogram,
  type LogHistogram,
} from './histogram.ts'

/** Numbers from 0 to 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const quantiles = [0.01, 0.5, 0.75, 0.95, 0.99, 0.999, 1]

function errorsOf(values: Float64Array): number[] {
  const histogram: LogHistogram = new Map()
  for (const value of values) addValue(histogram, value)
  const sorted = values.toSorted()
  return quantiles.map((quantile) => {
    const exact = sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? 0
    return Math.abs((quantileOf(histogram, quantile) ?? 0) / exact - 1)
  })
}

describe('a histogram', () => {
  it('has percentiles within 2.2 % of exact ones over a million durations', () => {
    const random = createRandom(7)
    // Log-normal around 80 ms with a tail of seconds, in microseconds.
    const durations = Float64Array.from({ length: 1_000_000 }, () => {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
      return Math.max(1, Math.round(80_000 * Math.exp(normal * 1.4)))
    })
    for (const error of errorsOf(durations)) expect(error).toBeLessThan(0.022)
  })

  it('has percentiles within 5 % where all durations are at one edge of a bucket', () => {
    for (const edge of [startOfBucket(200), startOfBucket(201) * 0.999_999])
      for (const error of errorsOf(new Float64Array(1000).fill(edge))) expect(error).toBeLessThan(0.05)
  })

  it('is the same after it was encoded, for any counts', () => {
    const random = createRandom(3)
    for (let run = 0; run < 300; run += 1) {
      const histogram: LogHistogram = new Map()
      const size = Math.floor(random() * 60)
      for (let each = 0; each < size; each += 1)
        addValue(histogram, 2 ** (random() * 48), Math.ceil(2 ** (random() * 40)))
      const bytes = encodeHistogram(histogram)
      expect(new Map(decodeHistogram(bytes))).toEqual(histogram)
      expect(countValues(decodeHistogram(bytes.subarray(0, bytes.length - 1)))).toBeLessThanOrEqual(
        countValues(histogram),
      )
    }
  })

  it('needs less than 100 bytes for the durations of a usual endpoint', () => {
    const random = createRandom(5)
    const histogram: LogHistogram = new Map()
    for (let each = 0; each < 1000; each += 1) addValue(histogram, 50_000 * (1 + random() * random() * 3))
    expect(encodeHistogram(histogram).byteLength).toBeLessThan(100)
  })

  it('reads any bytes without an error', () => {
    const random = createRandom(11)
    for (let run = 0; run < 2000; run += 1) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256))
      for (const [bucket] of decodeHistogram(bytes)) expect(bucket).toBeLessThanOrEqual(768)
    }
  })

  it('has the same sum from any bytes as from parsed ones', () => {
    const random = createRandom(13)
    for (let run = 0; run < 2000; run += 1) {
      const lists = Array.from({ length: 3 }, () =>
        Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() ** 2 * 256)),
      )
      const counts = createDenseHistogram()
      const read: LogHistogram = new Map()
      for (const bytes of lists) {
        addEncodedHistogram(counts, bytes)
        addHistogram(read, decodeHistogram(bytes))
      }
      expect(sortedBuckets(toLogHistogram(counts))).toEqual(
        sortedBuckets(read).filter(([, count]) => count > 0),
      )
    }
  })

  it('is added up by joining bytes, with two zeros between them', () => {
    const random = createRandom(17)
    for (let run = 0; run < 300; run += 1) {
      const sum: LogHistogram = new Map()
      const parts = Array.from({ length: Math.ceil(random() * 5) }, () => {
        const histogram: LogHistogram = new Map([[Math.floor(random() * 768), 0]])
        for (let each = random() * 20; each > 1; each -= 1) addValue(histogram, 2 ** (random() * 48))
        addHistogram(sum, histogram)
        return Buffer.from(encodeHistogram(histogram)).toString('hex')
      })
      const joined = Buffer.from(parts.join('0000'), 'hex')
      const counts = createDenseHistogram()
      addEncodedHistogram(counts, joined)
      const expected = sortedBuckets(sum).filter(([, count]) => count > 0)
      expect(sortedBuckets(decodeHistogram(joined))).toEqual(expected)
      expect(sortedBuckets(toLogHistogram(counts))).toEqual(expected)
    }
  })

  it('adds up exactly', () => {
    const one: LogHistogram = new Map()
    const other: LogHistogram = new Map()
    const both: LogHistogram = new Map()
    for (let value = 1; value < 5000; value += 7) {
      addValue(value % 2 === 0 ? one : other, value)
      addValue(both, value)
    }
    addHistogram(one, other)
    expect(sortedBuckets(one)).toEqual(sortedBuckets(both))
  })

  it('has a bucket for values that are not durations', () => {
    expect([Number.NaN, -5, 0, 1].map(histogramBucketOf)).toEqual([0, 0, 0, 0])
    expect(histogramBucketOf(Number.POSITIVE_INFINITY)).toBe(768)
    expect(quantileOf(new Map(), 0.5)).toBeUndefined()
  })

  it('has an Apdex: satisfied within the threshold, half within four times of it', () => {
    const histogram: LogHistogram = new Map()
    addValue(histogram, 100_000, 6)
    addValue(histogram, 900_000, 2)
    addValue(histogram, 5_000_000, 2)
    expect(apdexOf(histogram, 300_000)).toBe(0.7)
    expect(apdexOf(new Map(), 300_000)).toBeUndefined()
  })
})
