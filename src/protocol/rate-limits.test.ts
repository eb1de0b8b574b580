import { describe, expect, it } from 'vitest'
import { formatRateLimits, parseRateLimits } from './rate-limits.ts'

describe('the header of rate limits', () => {
  it('names seconds, categories, scope and reason of each limit', () => {
    const header = formatRateLimits([
      { retryAfterSeconds: 60, category: 'error', scope: 'key', reason: 'key_limit' },
      { retryAfterSeconds: 5, category: 'all', scope: 'project', reason: 'project_limit' },
    ])
    expect(header).toBe('60:error:key:key_limit, 5::project:project_limit')
  })

  it('names metrics as every version of the SDKs does', () => {
    const header = formatRateLimits([
      { retryAfterSeconds: 1, category: 'trace_metric', scope: 'key', reason: 'key_limit' },
    ])
    expect(header).toBe('1:trace_metric;metric:key:key_limit')
  })
})

describe('parseRateLimits', () => {
  it.each([
    ['60:error:organization:quota', [{ retryAfterSeconds: 60, categories: ['error'] }]],
    ['2700::organization', [{ retryAfterSeconds: 2700, categories: [] }]],
    [
      '1:error;transaction:key:r, 5.5:metric:project',
      [
        { retryAfterSeconds: 1, categories: ['error', 'transaction'] },
        { retryAfterSeconds: 5.5, categories: ['trace_metric'] },
      ],
    ],
    ['x:error:key, -1:error, :error, , 1e9:error', []],
    ['60:metric_bucket:organization:quota:custom', []],
  ])('reads %s', (text, heard) => {
    expect(parseRateLimits(text)).toEqual(heard)
  })

  it('parses what it formats', () => {
    const advertised = { retryAfterSeconds: 7, category: 'trace_metric', scope: 'key', reason: 'r' } as const
    expect(parseRateLimits(formatRateLimits([advertised]))).toEqual([
      { retryAfterSeconds: 7, categories: ['trace_metric', 'trace_metric'] },
    ])
  })
})
