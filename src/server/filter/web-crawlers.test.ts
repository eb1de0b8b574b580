import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/web-crawlers.json' with { type: 'json' }
import { isWebCrawler } from './web-crawlers.ts'

describe('isWebCrawler', () => {
  it.each(fixture.cases)('decides like Relay: $user_agent', ({ user_agent, filtered }) => {
    expect(isWebCrawler(user_agent)).toBe(filtered)
  })

  it.each([
    'Mozilla/5.0; ClaudeBot',
    'meta-externalagent/1.1',
    'SomeBot',
    'robots',
    'my-spider',
    'ELB-HealthChecker/2.0',
  ])('recognizes %s', (userAgent) => {
    expect(isWebCrawler(userAgent)).toBe(true)
  })

  it.each([
    'SentryUptimeBot/1.0 (+http://docs.sentry.io/)',
    'compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    'Bottles 1.0',
    '',
  ])('does not match %s', (userAgent) => {
    expect(isWebCrawler(userAgent)).toBe(false)
  })
})
