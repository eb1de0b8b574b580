import { expect, it } from 'vitest'
import { runStorm } from '#test/alert-storm.ts'

it('1,000 new issues in a minute, 100,000 events of one of them and 50 rules are a message in 30 seconds', async () => {
  const beganAt = performance.now()
  const { webhooks, discord, mails, sentCount } = await runStorm({
    projectCount: 1,
    issueCount: 1_000,
    overMs: 60_000,
    eventCount: 100_000,
    ruleCount: 50,
    isHurried: false,
  })
  const seconds = (performance.now() - beganAt) / 1_000
  process.stdout.write(
    `${webhooks.length} webhooks, ${discord.length} requests to Discord, ${mails.length} mails in ${seconds.toFixed()} s\n`,
  )
  expect(sentCount).toBe(1_000 * 49 + 1)
  const messages = webhooks.filter(({ type }) => type !== 'alerts.storm')
  expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(1_001)
  // One at once, then one in 30 seconds while it lasts.
  const most = 2 + Math.ceil(seconds / 30)
  for (const count of [webhooks.length, discord.length, mails.length]) expect(count).toBeLessThanOrEqual(most)
}, 900_000)
