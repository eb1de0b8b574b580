import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { threadCpuMs } from '#test/cpu-time.ts'
import { parseUserAgent } from './user-agent.ts'

interface KnownAgent {
  userAgent: string
  browser: string
  os: string
  device?: string
}

function readFixture(name: string): unknown {
  const url = new URL(`../../../test/fixtures/user-agents/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))
}

const browsers = readFixture('browsers') as KnownAgent[]
const others = readFixture('no-browsers') as string[]

function textOf(context: JsonObject | undefined): string {
  const parts = [context?.['name'], context?.['version']]
  return parts.filter((part) => typeof part === 'string').join(' ')
}

describe('parseUserAgent', () => {
  it.each(browsers)('names $browser on $os', ({ userAgent, ...expected }) => {
    const { browser, os, device } = parseUserAgent(userAgent)
    const model = device?.['model']
    expect({
      browser: textOf(browser),
      os: textOf(os),
      device: model,
    }).toEqual(expected)
  })

  it.each(others)('finds no browser in %j', (userAgent) => {
    expect(parseUserAgent(userAgent)).not.toHaveProperty('browser')
    expect(parseUserAgent(userAgent)).not.toHaveProperty('device')
  })

  it('returns one name for a browser in any case of the header', () => {
    const chrome =
      'Mozilla/5.0 (X11; LINUX x86_64) AppleWebKit/537.36 (KHTML, like Gecko) CHROME/140.0 Safari/537.36'
    expect(parseUserAgent(chrome)).toEqual({
      browser: { name: 'Chrome', version: '140.0' },
      os: { name: 'Linux' },
    })
  })

  it.each(['Mozilla/5.0 (', '0.Chrome/1.', 'Chrome/1.Chrome/1.', 'like cpu ', 'Linux; Android 10; '])(
    'is bounded for a hostile header: %j',
    (piece) => {
      const startedAt = threadCpuMs()
      for (let count = 0; count < 20; count += 1) parseUserAgent(`${count}${piece.repeat(100)}`)
      // Below 2 ms each without other load.
      expect(threadCpuMs() - startedAt).toBeLessThan(2000)
    },
  )

  it('returns browser, system and device', () => {
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
    expect(parseUserAgent(iphone)).toEqual({
      browser: { name: 'Mobile Safari', version: '17.0' },
      os: { name: 'iOS', version: '17.0' },
      device: { family: 'iPhone', model: 'iPhone', brand: 'Apple' },
    })
  })

  it('uses the common name of Windows and omits the build', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.7000.42 Safari/537.36'
    expect(parseUserAgent(chrome)).toEqual({
      browser: { name: 'Chrome', version: '156.0.7000' },
      os: { name: 'Windows', version: '10' },
    })
  })

  it.each(['', '   ', 'curl/8.0', '__proto__', '('.repeat(5000), '\0'])(
    'returns nothing for %j',
    (userAgent) => {
      expect(parseUserAgent(userAgent)).toEqual({})
    },
  )

  it('is quick even when every event has another agent', () => {
    const startedAt = threadCpuMs()
    for (let index = 0; index < 3000; index += 1) parseUserAgent(`Mozilla/5.0 (X11; Linux) Chrome/${index}.0`)
    expect(threadCpuMs() - startedAt).toBeLessThan(3000)
  })
})
