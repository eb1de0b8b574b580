import { describe, expect, it } from 'vitest'
import type { AlertTransition } from '#alerts/transition.ts'
import { formatHeadline } from './message.ts'
import type { AlertItem, AlertMessage, DeliverAlert } from './message.ts'

describe('the headline of a message', () => {
  it('names the issue of a single transition', () => {
    expect(formatHeadline(messageOf(['new']))).toBe('New issue in Shop: TypeError: x')
  })

  it('counts transitions of one kind', () => {
    expect(formatHeadline(messageOf(['new', 'new']))).toBe('2 new issues in Shop')
  })

  it('counts transitions of several kinds, and those that the message leaves out', () => {
    expect(formatHeadline(messageOf(['new', 'regressed']))).toBe('2 alerts in Shop')
    expect(formatHeadline({ ...messageOf(['new']), moreCount: 998 })).toBe('999 alerts in Shop')
    expect(formatHeadline({ ...messageOf([]), moreCount: 3 })).toBe('3 alerts in Shop')
  })

  it('announces at the beginning of a storm that further alerts are collected', () => {
    expect(formatHeadline({ ...messageOf(['new']), kind: 'storm' })).toBe(
      'New issue in Shop (many alerts: the next ones are held): TypeError: x',
    )
  })

  it('marks a test', async () => {
    const destination = { id: 'a', kind: 'echo', settings: {} }
    const answer = await echoHeadline({ ...messageOf(['new']), kind: 'test' }, destination, undefined)
    expect(answer.answerExcerpt).toBe('Test: New issue in Shop: TypeError: x')
  })
})

const echoHeadline: DeliverAlert<undefined> = (message) =>
  Promise.resolve({ verdict: 'delivered', answerExcerpt: formatHeadline(message) })

function messageOf(transitions: AlertTransition[]): AlertMessage {
  return {
    kind: 'transitions',
    organization: 'Default',
    project: { slug: 'shop', name: 'Shop' },
    rules: [{ name: 'New issues', url: 'https://culvert.example/alerts/1' }],
    items: transitions.map(itemOf),
    moreCount: 0,
    urls: { mute: '', rule: '', list: '' },
  }
}

function itemOf(transition: AlertTransition): AlertItem {
  return {
    transition,
    at: 0,
    issue: {
      shortId: 'SHOP-1',
      title: 'TypeError: x',
      culprit: 'pay',
      level: 'error',
      url: '',
      firstSeenAt: 0,
      lastSeenAt: 0,
      eventCount: 1,
      userCount: 0,
    },
  }
}
