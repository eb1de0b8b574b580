/** What a search can ask for by name. */
export interface SearchKey {
  key: string
  /** What it finds, in a few words. */
  hint: string
  /** What can stand behind the colon, where that is always the same. */
  values?: readonly string[]
  /** A value that shows the form, where there are too many. */
  sample?: string
}

/** Every named token, in the order it is offered. Any other key is a tag. */
export const searchKeys: readonly SearchKey[] = [
  {
    key: 'is',
    hint: 'status, or whose',
    values: ['unresolved', 'resolved', 'archived', 'regressed', 'new', 'assigned', 'unassigned', 'for_me'],
  },
  { key: 'level', hint: 'level', values: ['fatal', 'error', 'warning', 'info', 'debug'] },
  { key: 'release', hint: 'an event in this release', sample: 'latest' },
  { key: 'environment', hint: 'an event in this environment', sample: 'production' },
  { key: 'project', hint: 'project, by its short name', sample: 'web' },
  { key: 'assigned', hint: 'who looks after it', values: ['me', 'none'] },
  { key: 'firstSeen', hint: 'when it began', values: ['-1h', '-24h', '-7d', '+30d'] },
  { key: 'lastSeen', hint: 'when it happened last', values: ['-1h', '-24h', '-7d', '+30d'] },
  { key: 'timesSeen', hint: 'how many events', values: ['>10', '>100', '>1000'] },
  { key: 'users', hint: 'how many users', values: ['>1', '>10', '>100'] },
  { key: 'has', hint: 'an event with this tag', sample: 'browser.name' },
  { key: 'user.email', hint: 'a user', sample: 'ada@example.com' },
  { key: 'user.id', hint: 'a user', sample: '7' },
  { key: 'title', hint: 'words of the title', sample: 'TypeError' },
  { key: 'value', hint: 'words of the value', sample: '"is not a function"' },
  { key: 'culprit', hint: 'words of the place', sample: 'checkout' },
  { key: 'message', hint: 'words of the message or a cause', sample: 'timeout' },
]

/** The named token that a key means, whatever its case; undefined for a tag. */
export function findSearchKey(key: string): string | undefined {
  return searchKeys.find((known) => known.key.toLowerCase() === key.toLowerCase())?.key
}
