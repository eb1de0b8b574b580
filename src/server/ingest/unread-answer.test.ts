import { expect, it } from 'vitest'
import type { IngestRequest } from './ingest-request.ts'
import { isAnswerUnread } from './unread-answer.ts'

const isUnread = (client: string, request: Partial<IngestRequest> = {}) =>
  isAnswerUnread({
    method: 'POST',
    target: { route: 'envelope', project: '42' },
    query: `sentry_version=7&sentry_key=e12d836b15bb49d7bbf99e64295d995b${client}`,
    header: (name) => (name === 'origin' ? 'https://shop.example' : undefined),
    readBody: () => Promise.reject(new Error('not read here')),
    ...request,
  })

it('recognizes the browser SDK for JavaScript in every version and framework', () => {
  expect(isUnread('&sentry_client=sentry.javascript.browser%2F11.12.0')).toBe(true)
  expect(isUnread('&sentry_client=sentry.javascript.react%2F7.120.0')).toBe(true)
})

it('keeps the id in the answer for every other client', () => {
  const node = '&sentry_client=sentry.javascript.node%2F11.12.0'
  expect(isUnread(node, { header: () => undefined })).toBe(false)
  expect(isUnread('&sentry_client=sentry.dart.flutter%2F9.0.0')).toBe(false)
  expect(isUnread('')).toBe(false)
  expect(isUnread('&sentry_client=sentry.javascript.browser%2F5.0.0', { method: 'GET' })).toBe(false)
})
