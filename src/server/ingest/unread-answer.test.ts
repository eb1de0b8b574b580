import { describe, expect, it } from 'vitest'
import { isAnswerUnread } from './unread-answer.ts'

const key = 'sentry_version=7&sentry_key=e12d836b15bb49d7bbf99e64295d995b'
const page = { origin: 'https://shop.example' }

describe('isAnswerUnread', () => {
  it.each<[string, boolean, string, Record<string, string>, string?]>([
    ['@sentry/browser', true, `${key}&sentry_client=sentry.javascript.browser%2F11.12.0`, page],
    ['@sentry/react 7', true, `${key}&sentry_client=sentry.javascript.react%2F7.120.0`, page],
    ['@sentry/node, which is in no page', false, `${key}&sentry_client=sentry.javascript.node%2F11.12.0`, {}],
    ['Sentry for Flutter on the web', false, `${key}&sentry_client=sentry.dart.flutter%2F9.0.0`, page],
    ['a page without an SDK', false, key, page],
    [
      'an old SDK that sends by the address of a picture',
      false,
      `${key}&sentry_client=sentry.javascript.x`,
      page,
      'GET',
    ],
  ])('%s: %s', (_who, isUnread, query, headers, method = 'POST') => {
    const request = { method, query, header: (name: string) => headers[name] }
    const target = { route: 'envelope', project: '42' } as const
    expect(isAnswerUnread({ ...request, target, readBody: () => Promise.reject(new Error('unread')) })).toBe(
      isUnread,
    )
  })
})
