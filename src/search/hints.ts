import { quoteValue } from './quote-value.ts'
import { tokenizeSearch } from './tokens.ts'

/** An alternative to a search without results. */
export interface SearchHint {
  text: string
  /** Completes "issues …". */
  description: string
}

/** The likely kinds of a text without a key, and the words that search for them. */
const forms: { pattern: RegExp; toHints: (text: string) => SearchHint[] }[] = [
  {
    pattern: /^[^\s@"]+@[^\s@"]+\.[a-z]{2,}$/i,
    toHints: (text) => [
      { text: `user.email:${quoteValue(text)}`, description: 'of the user with this email address' },
      { text: `assigned:${quoteValue(text)}`, description: 'assigned to this user' },
    ],
  },
  {
    pattern: /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:]+)$/i,
    toHints: (text) => [
      { text: `user.ip:${quoteValue(text)}`, description: 'of users with this IP address' },
    ],
  },
  {
    pattern: /^[\w@./-]+@[\w.+-]+$/,
    toHints: (text) => [
      { text: `release:${quoteValue(text)}`, description: 'with an event in this release' },
    ],
  },
  {
    pattern: /^(?:https?:\/\/|\/)\S+$/,
    toHints: (text) => [{ text: `url:*${quoteValue(text)}*`, description: 'with an event at this URL' }],
  },
  {
    pattern: /^[\w./-]+\.[a-z]{1,4}$/i,
    toHints: (text) => [{ text: `stack.filename:*${text}`, description: 'with this file in a stack trace' }],
  },
  {
    pattern: /^[\w$.<>]{3,}$/,
    toHints: (text) => [
      { text: `stack.function:*${text}*`, description: 'with this function in a stack trace' },
    ],
  },
]

/** Returns alternatives for a search of one text without a key; empty for others. */
export function findSearchHints(search: string): SearchHint[] {
  const [only, second] = tokenizeSearch(search)
  if (only?.kind !== 'part' || second !== undefined || only.isNegated) return []
  const text = search.trim()
  // The tokenizer parses a URL as a key with a value.
  if (only.key !== undefined && !/^https?:/i.test(text)) return []
  return forms.find(({ pattern }) => pattern.test(text))?.toHints(text) ?? []
}
