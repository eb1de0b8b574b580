import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { userIdentity } from '#server/normalize/user-identity.ts'

const clientAddress = '192.0.2.1'

function eventOf(raw: unknown) {
  return normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 21), clientAddress })
}

const userOf = (raw: unknown) => eventOf(raw).user

describe("an event's user", () => {
  it('keeps fields unknown to Sentry in data', () => {
    expect(
      userOf({ user: { id: 7, username: ' jo ', geo: { city: 'Graz' }, plan: 'pro', data: { a: 1 } } }),
    ).toEqual({
      id: '7',
      username: 'jo',
      geo: { city: 'Graz' },
      data: { a: 1, plan: 'pro' },
    })
  })

  it.each([{}, [], null, 'jo', { id: null, email: '' }, { id: {} }])('is missing for %j', (user) => {
    expect(userOf({ user })).toBeUndefined()
  })

  it.each([
    ['auto', { user: { ip_address: '{{auto}}' } }, clientAddress],
    ['a browser SDK without infer_ip', { platform: 'javascript' }, clientAddress],
    [
      'an SDK with infer_ip auto',
      { platform: 'other', sdk: { settings: { infer_ip: 'auto' } } },
      clientAddress,
    ],
    [
      'a browser SDK with infer_ip never',
      { platform: 'javascript', sdk: { settings: { infer_ip: 'never' } } },
      undefined,
    ],
    [
      'auto and never at once',
      { user: { ip_address: '{{auto}}' }, sdk: { settings: { infer_ip: 'never' } } },
      undefined,
    ],
    ['a server', { platform: 'node' }, undefined],
    ...['cloudflare', 'vercel-edge', 'deno'].map((name): [string, unknown, undefined] => [
      `a server with the platform of browsers (${name})`,
      { platform: 'javascript', contexts: { runtime: { name } } },
      undefined,
    ]),
    [
      'a server that saw the visitor',
      { platform: 'php', request: { env: { REMOTE_ADDR: '2001:db8::1' } } },
      '2001:db8::1',
    ],
    [
      'an address that was sent',
      { platform: 'javascript', user: { ip_address: '198.51.100.7' } },
      '198.51.100.7',
    ],
    ['an invalid address', { platform: 'javascript', user: { ip_address: '<script>' } }, undefined],
  ])('has the address of %s', (_, raw, address) => {
    expect(userOf(raw)?.ipAddress).toBe(address)
  })

  it.each([
    [{ id: 7, email: 'e', username: 'u', ip_address: '192.0.2.9' }, 'id:7'],
    [{ email: 'e', username: 'u' }, 'username:u'],
    [{ email: 'e', ip_address: '192.0.2.9' }, 'email:e'],
    [{ ip_address: '192.0.2.9' }, 'ip:192.0.2.9'],
    [{ name: 'Jo' }, undefined],
  ])('is identified by %j as %s', (user, identity) => {
    expect(userIdentity(eventOf({ user }))).toBe(identity)
  })
})
