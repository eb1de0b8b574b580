import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { cacheByAgent } from './agent-cache.ts'

function countingReader() {
  const asked: string[] = []
  const read = cacheByAgent((agent) => {
    asked.push(agent)
    return agent === 'nobody' ? undefined : agent.length
  })
  return { asked, read }
}

describe('the cached result for a user agent', () => {
  it('is computed once, even when it is undefined', () => {
    const { asked, read } = countingReader()
    expect([read('Firefox'), read('nobody'), read('Firefox'), read('nobody')]).toEqual([
      7,
      undefined,
      7,
      undefined,
    ])
    expect(asked).toEqual(['Firefox', 'nobody'])
  })

  it('is kept for a bounded number of agents, and for none that is too long', () => {
    const { asked, read } = countingReader()
    read('first')
    for (let count = 0; count < limits.cachedUserAgents; count += 1) read(`agent ${count}`)
    read('first')
    expect(asked.filter((agent) => agent === 'first')).toHaveLength(2)
    const long = 'x'.repeat(limits.userAgentCharacters + 1)
    expect([read(long), read(long)]).toEqual([long.length, long.length])
    expect(asked.filter((agent) => agent === long)).toHaveLength(2)
  })
})
