import { describe, expect, it } from 'vitest'
import { createHostCheck } from './allowed-host.ts'

const hostile = [
  undefined,
  '',
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'evil.example/localhost',
  'evil.example#localhost',
  'evil.example\\localhost',
  'localhost evil.example',
  'localhost:port',
  '[::1',
]

describe('a server on the loopback address', () => {
  const isAllowed = createHostCheck({ host: '127.0.0.1' })

  it.each(hostile)('rejects %j', (host) => {
    expect(isAllowed(host)).toBe(false)
  })

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.0.0.2', '[::1]:8080'])(
    'allows %j',
    (host) => {
      expect(isAllowed(host)).toBe(true)
    },
  )

  it('rejects an address of the network', () => {
    expect(isAllowed('192.168.1.7:3000')).toBe(false)
  })

  it('allows the name in CULVERT_ORIGIN with any port', () => {
    const check = createHostCheck({ host: '127.0.0.1', origin: 'https://culvert.example.com' })
    expect(['culvert.example.com', 'Culvert.Example.com:443', 'localhost:3000'].every(check)).toBe(true)
    expect(hostile.some(check)).toBe(false)
  })
})

describe('a server on a network address', () => {
  it('allows every name without CULVERT_ORIGIN', () => {
    expect(createHostCheck({ host: '0.0.0.0' })('errors.lan:3000')).toBe(true)
  })

  it('allows its name and IP addresses when CULVERT_ORIGIN is set', () => {
    const check = createHostCheck({ host: '0.0.0.0', origin: 'http://errors.lan:3000' })
    expect(['errors.lan:3000', '192.168.1.7:3000', '[fe80::1]:3000', 'localhost:8080'].every(check)).toBe(
      true,
    )
    expect(hostile.some(check)).toBe(false)
  })
})
