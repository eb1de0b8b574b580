import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { judgeAnswer } from './verdict.ts'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)
const judge = (status: number, headers: { retryAfter?: string; rateLimits?: string } = {}) =>
  judgeAnswer({ kind: 'answered', status, ...headers }, 'error', now)

describe('judging an answer', () => {
  it.each([200, 201, 204])('treats %i as delivered', (status) => {
    expect(judge(status)).toMatchObject({ result: 'delivered', isFailure: false, rateLimits: [] })
  })

  it.each([400, 401, 403, 404, 405, 411, 413, 415, 422])('treats %i as rejected permanently', (status) => {
    expect(judge(status)).toMatchObject({ result: 'rejected', isFailure: false, answer: String(status) })
  })

  it.each([0, 101, 301, 302, 307, 408, 425, 500, 502, 503, 504, 599])('tries again after %i', (status) => {
    expect(judge(status)).toMatchObject({ result: 'retry', isFailure: true })
  })

  it('retries when there was no answer', () => {
    expect(judgeAnswer({ kind: 'failed', problem: 'ECONNRESET' }, 'error', now)).toMatchObject({
      result: 'retry',
      isFailure: true,
      answer: 'ECONNRESET',
    })
  })

  it.each([
    [{}, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: '17' }, [{ category: 'all', seconds: 17 }]],
    [{ retryAfter: 'Sat, 21 Nov 2026 12:01:00 GMT' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: 'Saturday, 21-Nov-26 12:01:00 GMT' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: 'Sat Nov 21 12:01:00 2026' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: 'Fri, 20 Nov 2026 12:00:00 GMT' }, [{ category: 'all', seconds: 1 }]],
    [{ retryAfter: '2.5' }, [{ category: 'all', seconds: 3 }]],
    [{ retryAfter: '-5' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: '' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: '1e9' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: 'soon' }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: '9'.repeat(400) }, [{ category: 'all', seconds: 60 }]],
    [{ retryAfter: '0' }, [{ category: 'all', seconds: 1 }]],
    [{ retryAfter: '1000000000' }, [{ category: 'all', seconds: limits.forwardRateLimitMaxSeconds }]],
    [{ retryAfter: '99', rateLimits: '5:error:key' }, [{ category: 'error', seconds: 5 }]],
    [{ rateLimits: '5::organization' }, [{ category: 'all', seconds: 5 }]],
    [{ rateLimits: 'nonsense' }, [{ category: 'all', seconds: 60 }]],
    [{ rateLimits: '-5:error:key' }, [{ category: 'all', seconds: 60 }]],
    [{ rateLimits: '5:error;<b>made up</b>:key' }, [{ category: 'error', seconds: 5 }]],
    [{ rateLimits: '5:<b>made up</b>:key' }, [{ category: 'all', seconds: 60 }]],
    [
      { rateLimits: '99999999999:error:key' },
      [{ category: 'error', seconds: limits.forwardRateLimitMaxSeconds }],
    ],
  ])('waits after 429 with %j', (headers, rateLimits) => {
    expect(judge(429, headers)).toMatchObject({ result: 'retry', isFailure: false, rateLimits })
  })

  it('treats a 429 for another category as a failure, to prevent a retry loop', () => {
    expect(judge(429, { rateLimits: '5:transaction:key' })).toMatchObject({
      result: 'retry',
      isFailure: true,
    })
  })

  it('reads rate limits for any status', () => {
    expect(judge(200, { rateLimits: '5:session:key' }).rateLimits).toEqual([
      { category: 'session', seconds: 5 },
    ])
  })

  it('waits for the Retry-After of a 503', () => {
    expect(judge(503, { retryAfter: '120' })).toMatchObject({ isFailure: true, waitSeconds: 120 })
  })
})
