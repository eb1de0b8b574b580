import type { AlertTransition } from '#alerts/transition.ts'
import type { AlertIssue, AlertMessage, IssueItem, ProjectItem } from '#server/alerts/message.ts'

/** The address of the console in the messages. */
export const alertOrigin = 'https://culvert.example'

const at = Date.UTC(2026, 10, 23, 21, 4)

/** An issue with every field. */
export function alertIssue(number: number, changes: Partial<AlertIssue> = {}): AlertIssue {
  return {
    shortId: `SHOP-${number}`,
    title: `TypeError: cannot read properties of undefined (reading 'price')`,
    culprit: 'checkout in pay',
    level: 'error',
    url: `${alertOrigin}/issues/${number}`,
    firstSeenAt: at - 60_000,
    lastSeenAt: at,
    eventCount: 12,
    userCount: 3,
    environment: 'production',
    release: 'shop@1.4.0',
    assignee: 'Ada Lovelace',
    ...changes,
  }
}

/** A transition of the issue. */
export function alertItem(number: number, changes: Partial<IssueItem> = {}): IssueItem {
  return { transition: 'new', issue: alertIssue(number), at, ...changes }
}

/** A transition of the project. */
export function projectItem(changes: Partial<ProjectItem> = {}): ProjectItem {
  return {
    transition: 'trouble',
    at,
    change: {
      key: 'rate_limit',
      title: 'A rate limit is reached, events are rejected',
      level: 'error',
      url: `${alertOrigin}/outcomes?project=shop`,
    },
    ...changes,
  }
}

/** A message about an issue. */
export function alertMessage(changes: Partial<AlertMessage> = {}): AlertMessage {
  return {
    kind: 'transitions',
    organization: 'Example Ltd',
    project: { slug: 'shop', name: 'Shop' },
    rules: [{ name: 'New issues', url: `${alertOrigin}/projects/shop/alerts#rule-1` }],
    items: [alertItem(1)],
    moreCount: 0,
    urls: {
      mute: `${alertOrigin}/projects/shop/alerts?mute=1#mute-why-1`,
      rule: `${alertOrigin}/projects/shop/alerts#rule-1`,
      list: `${alertOrigin}/issues?project=shop`,
    },
    threadKey: 'issue-1',
    ...changes,
  }
}

/** A message about this many issues, all with a title. */
export function listMessage(
  count: number,
  title?: string,
  transition: AlertTransition = 'new',
): AlertMessage {
  const items = Array.from({ length: count }, (_, index) =>
    alertItem(index + 1, { transition, issue: alertIssue(index + 1, title === undefined ? {} : { title }) }),
  )
  return alertMessage({ items, threadKey: undefined })
}
