import type { ValuePattern } from './value-pattern.ts'

/** Characters of a search. */
export const searchCharacters = 500

/** A range of a search's text in UTF-16 units; the end is not included. */
export interface TextRange {
  start: number
  end: number
}

/** The words of `is:` that name a status. */
export const searchedStatuses = ['unresolved', 'resolved', 'archived'] as const
export type SearchedStatus = (typeof searchedStatuses)[number]

/** The values of `is:` other than statuses. */
export type SearchedState = 'regressed' | 'escalating' | 'waits_for_escalation' | 'waits' | 'closed_for_good'

/** An instant in a search: relative to now, or in Unix milliseconds. */
export type SearchedInstant = { agoMs: number } | { at: number }

/** From is inclusive, to is exclusive. */
export interface InstantRange {
  from?: SearchedInstant
  to?: SearchedInstant
}

/** From and to, both inclusive. */
export interface NumberRange {
  min?: number
  max?: number
}

/** The assignee of an issue. */
export type SearchedAssignee =
  | { kind: 'me' }
  | { kind: 'none' }
  | { kind: 'anyone' }
  /** In lower case. */
  | { kind: 'email'; email: string }
  | { kind: 'name'; name: string }

/** An issue by its id, or by its project's slug, in lower case, and its number. */
export type SearchedIssue = { id: number } | { slug: string; number: number }

/** The texts of an issue. */
export const searchedTexts = ['title', 'value', 'culprit', 'message'] as const
export type SearchedText = (typeof searchedTexts)[number]

/** Columns of an issue that are compared with patterns. */
export type SearchedField = 'platform' | 'firstRelease' | 'regressedInRelease'

/** The operator that compares a release with a version. */
export type VersionComparison = '>' | '>=' | '<' | '<='

/** One condition on an issue. One of several values has to match. */
export type SearchCondition =
  | { kind: 'status'; statuses: readonly SearchedStatus[] }
  | { kind: 'state'; state: SearchedState }
  | { kind: 'assignee'; assignees: readonly SearchedAssignee[] }
  | { kind: 'level'; levels: readonly string[] }
  | { kind: 'type'; types: readonly string[] }
  | { kind: 'field'; field: SearchedField; values: readonly ValuePattern[] }
  | { kind: 'project'; by: 'id' | 'slug'; values: readonly ValuePattern[] }
  | { kind: 'issue'; issues: readonly SearchedIssue[] }
  /** 32 lower-case hex digits each. */
  | { kind: 'event'; by: 'id' | 'trace'; ids: readonly string[] }
  | ({ kind: 'count'; of: 'events' | 'users' } & NumberRange)
  | ({ kind: 'seen'; which: 'first' | 'last' } & InstantRange)
  /** An event happened within the range. */
  | ({ kind: 'happened' } & InstantRange)
  | { kind: 'tag'; key: string; values: readonly ValuePattern[] }
  /** A property of an event other than a tag (stack function, SDK …), by the word of the search. */
  | { kind: 'trait'; key: string; values: readonly ValuePattern[] }
  /** An event in a release of a newer or an older version. */
  | { kind: 'version'; comparison: VersionComparison; version: string }
  /** `isPhrase`: the last word is complete. */
  | { kind: 'text'; in: readonly SearchedText[]; value: ValuePattern; isPhrase: boolean }

/** A search: conditions joined by "and" and "or". An empty `all` matches every issue. */
export type SearchExpression =
  | { kind: 'term'; condition: SearchCondition }
  | { kind: 'not'; of: SearchExpression }
  | { kind: 'all'; of: readonly SearchExpression[] }
  | { kind: 'any'; of: readonly SearchExpression[] }

/** A complete part of a search: a word with its value, or a group of them. */
export interface SearchPart extends TextRange {
  expression: SearchExpression
}

/** An invalid part of a search. */
export interface SearchProblem extends TextRange {
  /** The reason and a suggestion: one or two sentences. */
  message: string
}

/** A parsed search. */
export interface ParsedSearch {
  /** An issue must match all of them. In the order of the text. */
  parts: SearchPart[]
  /** In the order of the text. Parts with problems are ignored. */
  problems: SearchProblem[]
  /** Keys that are not words of the language and are read as tag keys. */
  tagKeys: string[]
}
