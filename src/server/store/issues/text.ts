import { hash } from 'node:crypto'

/** The texts by which an issue is found. */
export interface IssueText {
  title: string
  subtitle: string
  culprit: string
  /** Further text of its latest event; empty if there is none. */
  message: string
}

/** A hash of the texts, to detect changes. */
export function issueTextHash({ title, subtitle, culprit, message }: IssueText): number {
  return Number.parseInt(hash('sha256', [title, subtitle, culprit, message].join('\0')).slice(0, 12), 16)
}

/** The columns of `issue_texts`, in their order. */
export function issueTextColumns({ title, subtitle, culprit, message }: IssueText): string[] {
  return [title, subtitle, culprit, message].map(issueWords)
}

/** The end of a word inside a name: `handle|Click`, `XML|Http|Request`. */
const wordEnd = /\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu

/**
 * A text followed by the words inside its names: the tokenizer treats `handleClick` as one word, but users
 * search for `click`. The words follow the text, so that phrases in the text still match.
 */
export function issueWords(text: string): string {
  const words: string[] = []
  for (const [name] of text.matchAll(/\p{L}{3,100}/gu)) {
    const spaced = name.replaceAll(wordEnd, '$& ')
    if (spaced !== name) words.push(spaced)
  }
  return words.length === 0 ? text : `${text} ${words.join(' ')}`
}
