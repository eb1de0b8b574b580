/** Characters of a search. */
export const searchCharacters = 500

/** Where something stands in the text of a search: UTF-16 units, the end not included. */
export interface Span {
  start: number
  end: number
}

/** The words of `is:` that name a status. */
export const searchedStatuses = ['unresolved', 'resolved', 'archived'] as const
export type SearchedStatus = (typeof searchedStatuses)[number]

/** A value that something is compared with; `isPrefix` where it ended in `*`. */
export interface SearchedValue {
  text: string
  isPrefix: boolean
}

/** An instant as a search names it: so long ago, or in Unix milliseconds. */
export type SearchedInstant = { agoMs: number } | { at: number }

/** Who an issue is assigned to. */
export type SearchedAssignee =
  | { kind: 'me' }
  | { kind: 'none' }
  | { kind: 'anyone' }
  | { kind: 'email'; email: string }

/** The texts of an issue. */
export const searchedTexts = ['title', 'value', 'culprit', 'message'] as const
export type SearchedText = (typeof searchedTexts)[number]

/** What one token of a search asks of an issue. Of several values one is enough. */
export type SearchCondition =
  | { kind: 'status'; statuses: SearchedStatus[] }
  | { kind: 'regressed' }
  | { kind: 'new' }
  | { kind: 'assignee'; assignees: SearchedAssignee[] }
  | { kind: 'level'; levels: string[] }
  | { kind: 'project'; slugs: string[] }
  | { kind: 'count'; of: 'events' | 'users'; min?: number; max?: number }
  | { kind: 'seen'; which: 'first' | 'last'; from?: SearchedInstant; to?: SearchedInstant }
  | { kind: 'tag'; key: string; values: SearchedValue[] }
  | { kind: 'has'; key: string }
  | { kind: 'text'; in?: SearchedText; text: string; isPhrase: boolean }

/** A token that was understood. */
export interface SearchTerm extends Span {
  condition: SearchCondition
  /** It began with `!`: issues are looked for that do not fulfil it. */
  isNegated: boolean
}

/** A token that was not understood. */
export interface SearchProblem extends Span {
  /** What is wrong with it, and what would be right: a sentence or two. */
  message: string
}

/** A search as far as it was understood: an issue must fulfil every term. */
export interface ParsedSearch {
  terms: SearchTerm[]
  /** In the order of the text. The terms hold without them. */
  problems: SearchProblem[]
}
