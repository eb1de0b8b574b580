import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { runStorm } from '#test/alert-storm.ts'
import { parseMail } from '#test/smtp-receiver.ts'

it('a burst of one issue edits its first message, and its mails are a thread with one subject', async () => {
  const { webhooks, discord, mails, sentCount } = await runStorm({
    projectCount: 1,
    issueCount: 1,
    overMs: 0,
    eventCount: 600,
    ruleCount: 50,
    isFirstAlone: true,
    isHurried: true,
  })
  expect(sentCount).toBe(49 + 1)
  expect(webhooks).toEqual([
    { type: 'issue.new', count: 1 },
    { type: 'issue.threshold', count: 1 },
  ])
  expect(discord.map(({ method }) => method)).toEqual(['POST', 'PATCH'])
  const headers = mails.map(({ raw }) => parseMail(raw).headers)
  expect(headers).toHaveLength(2)
  const valuesOf = (name: string) => new Set(headers.map((each) => each.get(name)?.join()))
  expect(valuesOf('message-id').size).toBe(2)
  expect([...valuesOf('subject')]).toEqual(['[Project 0] PROJECT-0-1 Storm0: x is not a function'])
  for (const name of ['references', 'in-reply-to'])
    expect([...valuesOf(name)]).toEqual([expect.stringMatching(/^<[^<>@]+@[^<>@]+>$/)])
}, 60_000)

it('a storm of new issues in twelve projects and 50 rules is a few messages to each receiver, which count it', async () => {
  const { webhooks, discord, mails, sentCount, storedCount } = await runStorm({
    projectCount: 12,
    issueCount: 300,
    overMs: 0,
    eventCount: 600,
    storedCount: 20,
    ruleCount: 50,
    isHurried: true,
  })
  // 49 rules are about new issues, and one about the threshold.
  expect(sentCount).toBe(300 * 49 + 1)
  // The threshold of 500 events counts those that spike protection does not store.
  expect(storedCount).toBeLessThan(400)
  const messages = webhooks.filter(({ type }) => type !== 'alerts.storm')
  expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(301)
  // An alert storm: so many messages, a summary, and the digest.
  const most = limits.alertStormCount + 2
  for (const count of [webhooks.length, discord.length, mails.length]) expect(count).toBeLessThanOrEqual(most)
}, 120_000)
