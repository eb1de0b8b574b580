import { describe, expect, it } from 'vitest'
import { formatRateLimits } from './rate-limits.ts'

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
