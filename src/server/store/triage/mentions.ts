import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { appConfig } from '../../../../app.config.ts'

/** A user who can be mentioned. */
export interface MentionCandidate {
  userId: string
  name: string
  email: string
}

/** A mentioned user; `written` is the text after the `@`. */
export interface Mention {
  userId: string
  written: string
}

/**
 * The users whom a comment mentions: by `@` and their name, their email address, or its local part,
 * case-insensitively. The longest match counts, and a name that several users share mentions all of them.
 * Ignores code, and an `@` that follows a letter or digit, as in an address.
 */
export function findMentions(text: string, people: readonly MentionCandidate[]): Mention[] {
  const names = people
    .flatMap(({ userId, name, email }) =>
      [name.trim(), email, email.split('@')[0] ?? ''].map((each) => ({ userId, name: each.toLowerCase() })),
    )
    .filter(({ name }) => name !== '')
  // No name has a line break, so that none is found in the text before and after the code.
  const written = text.replaceAll(code, '\n').slice(0, appConfig.commentCharacters)
  const found = new Map<string, Mention>()
  for (const at of listMentionOffsets(written)) {
    const rest = written.slice(at + 1, at + 1 + limits.nameCharacters).toLowerCase()
    const alike = names.filter(({ name }) => rest.startsWith(name) && isMentionEnd(rest, name.length))
    const length = Math.max(...alike.map(({ name }) => name.length))
    for (const { userId } of alike.filter(({ name }) => name.length === length))
      found.set(userId, { userId, written: written.slice(at + 1, at + 1 + length) })
  }
  return [...found.values()].slice(0, limits.commentMentions)
}

const commentDetail = v.object({
  mentions: v.optional(v.array(v.object({ userId: v.string(), written: v.string() })), []),
})

/** Reads the mentions from the detail of a comment. */
export function parseMentions(detail: string): Mention[] {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), commentDetail), detail)
  return success ? output.mentions : []
}

/** Code blocks and inline code. */
const code = /```[^]*?(?:```|$)|`[^`\n]*`/g

/** The positions of each `@` that begins a word. */
function listMentionOffsets(text: string): number[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}_.+@-])@(?=[\p{L}\p{N}])/gu)]
    .slice(0, limits.commentMentions)
    .map(({ index }) => index)
}

/** True if no longer word or address continues at the position. */
export function isMentionEnd(text: string, at: number): boolean {
  return !/^(?:[\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/u.test(text.slice(at, at + 3))
}
