import { describe, expect, it } from 'vitest'
import { userAgentContexts } from './user-agent.ts'

describe('userAgentContexts', () => {
  it('tells browser, system and device', () => {
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
    expect(userAgentContexts(iphone)).toEqual({
      browser: { name: 'Safari', version: '17.0' },
      os: { name: 'iOS', version: '17.0' },
      device: { family: 'iPhone', model: 'iPhone', brand: 'Apple' },
    })
  })

  it('calls Windows by the name people know and leaves out the build', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.7000.42 Safari/537.36'
    expect(userAgentContexts(chrome)).toEqual({
      browser: { name: 'Chrome', version: '156.0.7000' },
      os: { name: 'Windows', version: '10' },
    })
  })

  it.each(['', '   ', 'curl/8.0', '__proto__', '('.repeat(5000), '\0'])(
    'says nothing about %j',
    (userAgent) => {
      expect(userAgentContexts(userAgent)).toEqual({})
    },
  )

  it('is quick even when every event brings another agent', () => {
    const startedAt = performance.now()
    for (let index = 0; index < 3000; index += 1)
      userAgentContexts(`Mozilla/5.0 (X11; Linux) Chrome/${index}.0`)
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })
})
