import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { runStorm } from '../support/alert-storm.ts'

it('a storm of new issues in twelve projects and 50 rules is a few messages to each receiver, which count it', async () => {
  const { webhooks, discord, mailCount, sentCount } = await runStorm({
    projectCount: 12,
    issueCount: 300,
    overMs: 0,
    eventCount: 600,
    ruleCount: 50,
    isHurried: true,
  })
  // 49 rules are about new issues, and one about the threshold.
  expect(sentCount).toBe(300 * 49 + 1)
  const messages = webhooks.filter(({ type }) => type !== 'alerts.storm')
  expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(301)
  // The storm brake: so many messages, a summary, and the digest.
  const most = limits.alertStormCount + 2
  for (const count of [webhooks.length, discord.length, mailCount]) expect(count).toBeLessThanOrEqual(most)
}, 120_000)
