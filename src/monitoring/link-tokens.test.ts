import { describe, expect, it } from 'vitest'
import { removeLinkTokens, withoutLinkTokens } from './link-tokens.ts'

const token = 'q3-Zk_9aTq3Zk9aTq3Zk9aTq3Zk9aT12'

describe('a text', () => {
  it.each([
    `/password/${token}`,
    `http://127.0.0.1:3000/invite/${token}?a=b`,
    `/login?to=%2Finvite%2F${token}`,
    `/unsubscribe/${token}#top`,
    `/setup?token=${token}`,
    '/badge/12/0123456789abcdef0123456789abcdef.svg',
  ])('loses the token of a secret link: %s', (text) => {
    expect(withoutLinkTokens(text)).not.toMatch(/q3-Zk|0123456789/)
    expect(withoutLinkTokens(text)).toContain('[Filtered]')
  })

  it.each(['/issues/12', '/projects/shop/danger', '/settings?password=no', '/docs/password/short'])(
    'keeps the URL of another page: %s',
    (text) => {
      expect(withoutLinkTokens(text)).toBe(text)
    },
  )
})

describe('an event', () => {
  it('loses the token in every text, even where nothing shows that it is one', () => {
    const own = new (class Client {
      name = `/password/${token}`
    })()
    const event = {
      request: { url: 'http://host/login', headers: { Referer: `http://host/password/${token}` } },
      breadcrumbs: [{ data: { from: `/password/${token}`, url: `/_serverFn/1?payload={"s":"${token}"}` } }],
      exception: {
        values: [{ stacktrace: { frames: [{ filename: `http://host/password/${token}`, lineno: 3 }] } }],
      },
      own,
      self: {},
    }
    event.self = event
    removeLinkTokens(event)
    expect(event.request.headers.Referer).toBe('http://host/password/[Filtered]')
    expect(event.breadcrumbs[0]?.data).toEqual({
      from: '/password/[Filtered]',
      url: '/_serverFn/1?payload={"s":"[Filtered]"}',
    })
    expect(event.exception.values[0]?.stacktrace.frames[0]).toEqual({
      filename: 'http://host/password/[Filtered]',
      lineno: 3,
    })
    expect(own.name).toBe(`/password/${token}`)
  })
})
