import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { indexedTags } from './tags.ts'

const tagsOf = (raw: unknown) =>
  Object.fromEntries(
    indexedTags(normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 21) })),
  )

describe('indexedTags', () => {
  it('promotes the searchable fields, before the tags of the SDK', () => {
    const tags = tagsOf({
      level: 'warning',
      environment: 'staging',
      release: 'shop@1',
      dist: '7',
      logger: 'app',
      server_name: 'web-1',
      transaction: 'GET /cart',
      request: { url: 'http://a.example/cart?x=1' },
      user: { id: 7, email: 'jo@example.com', ip_address: '192.0.2.7' },
      exception: [
        { type: 'A', mechanism: { type: 'chained', handled: false } },
        { type: 'B', mechanism: { type: 'generic', handled: true } },
      ],
      contexts: {
        browser: { name: 'Firefox', version: '130.0' },
        os: { name: 'Debian', version: '12.11\n' },
        runtime: { name: 'node', version: 'v24' },
        device: { model: 'iPhone', family: 'iPhone' },
      },
      tags: { feature: 'checkout', level: 'mine' },
    })
    expect(tags).toEqual({
      level: 'warning',
      environment: 'staging',
      release: 'shop@1',
      dist: '7',
      logger: 'app',
      server_name: 'web-1',
      transaction: 'GET /cart',
      url: 'http://a.example/cart',
      user: 'id:7',
      'user.email': 'jo@example.com',
      'user.ip': '192.0.2.7',
      handled: 'no',
      mechanism: 'generic',
      browser: 'Firefox 130.0',
      'browser.name': 'Firefox',
      os: 'Debian 12.11',
      'os.name': 'Debian',
      runtime: 'node v24',
      'runtime.name': 'node',
      device: 'iPhone',
      'device.family': 'iPhone',
      feature: 'checkout',
    })
  })

  it('includes the fields of a user that are not its identity', () => {
    expect(tagsOf({ user: { email: 'jo@example.com' } })).not.toHaveProperty(['user.email'])
    expect(tagsOf({ user: { username: 'jo', email: 'jo@example.com' } })).toMatchObject({
      user: 'username:jo',
      'user.email': 'jo@example.com',
    })
  })

  it('returns only the defaults for an empty event', () => {
    expect(tagsOf({})).toEqual({ level: 'error', environment: 'production' })
  })

  it('bounds values and keeps them on one line', () => {
    const tags = tagsOf({ request: { url: `http://a.example/${'x'.repeat(9000)}` }, transaction: 'a\nb' })
    expect(tags['url']).toHaveLength(200)
    expect(tags['transaction']).toBe('a')
  })
})
