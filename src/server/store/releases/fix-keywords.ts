import { findShortId } from '#search/direct-target.ts'
import { limits } from '#server/limits.ts'
import { parseIssueId } from '#server/store/issues/id.ts'

/** An issue that a commit message names: by its short id, or by its URL in this console. */
export type NamedIssue = { slug: string; number: number } | { issueId: number }

const keyword = /^(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):?$/i
/** Words between the items of a list. */
const filler = /^(?:and|or|issues?|[&+,])$/i

/**
 * The issues that a commit message fixes: `Fixes SHOP-1A`, `closes: SHOP-1, SHOP-2 and API-3`, `Resolved
 * https://culvert.example/issues/123`. Sentry's keywords, case-insensitively, except that an issue must
 * directly follow its keyword or another issue: Sentry also matches `pre-2` in "Fix the order of pre-2". The
 * subject of a revert is ignored. Each word is read once, so the time is linear in the length.
 */
export function findFixedIssues(message: string, origin: string): NamedIssue[] {
  const named = new Map<string, NamedIssue>()
  let isList = false
  for (const word of toWords(message)) {
    const bare = word.replace(/^[("'*_`]+/, '')
    if (keyword.test(bare)) {
      isList = true
      continue
    }
    if (!isList || filler.test(word)) continue
    for (const piece of bare.split(',')) {
      if (piece === '') continue
      const { issue, isLast } = readPiece(piece, origin)
      if (issue !== undefined) named.set(JSON.stringify(issue), issue)
      isList = issue !== undefined && !isLast
      if (!isList) break
    }
    if (named.size >= limits.fixedIssuesPerCommit) break
  }
  return [...named.values()].slice(0, limits.fixedIssuesPerCommit)
}

function toWords(message: string): string[] {
  const read = message.slice(0, limits.messageCharacters)
  const [subject = '', ...body] = read.split('\n')
  return (subject.startsWith('Revert "') ? body.join('\n') : read).split(/\s+/)
}

/** Parses a piece of text around an issue; a full stop or colon ends the list. */
function readPiece(piece: string, origin: string): { issue?: NamedIssue; isLast: boolean } {
  // The text of a Markdown link.
  const [linked = ''] = piece.slice(1).split(']', 1)
  const text = piece.startsWith('[') ? linked : piece.replace(/^[#(]/, '')
  const name = text.slice(0, 300).replace(/[.:;!?)\]"'*_`]{1,8}$/, '')
  return { issue: findNamed(name, origin), isLast: /[.:;!?)]$/.test(text) }
}

function findNamed(name: string, origin: string): NamedIssue | undefined {
  const [, ofPage = name] = name.startsWith(`${origin}/`)
    ? (/^\/(?:organizations\/[\w-]+\/)?issues\/([\w-]+)/.exec(name.slice(origin.length)) ?? [])
    : []
  const issueId = ofPage === name ? undefined : parseIssueId(ofPage)
  if (issueId !== undefined) return { issueId }
  const shortId = findShortId(ofPage)
  return shortId && { slug: shortId.slug, number: shortId.number }
}
