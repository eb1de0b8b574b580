import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { appConfig } from '../../../../app.config.ts'

/** A user who can be mentioned. */
export interface MentionCandidate {
  userId: string
  name: string
  email: string
}

/** A mentioned user; `written`: what follows the `@`. */
export interface Mention {
  userId: string
  written: string
}

/**
 * Users mentioned in the comment: by `@` and their name, their e-mail address, or its part before the `@`,
 * in any case. The longest one counts, and a name of several users mentions all of them. Nothing in code,
 * and nothing after a letter or digit, such as in an address.
 */
export function findMentions(text: string, people: readonly MentionCandidate[]): Mention[] {
  const names = people
    .flatMap(({ userId, name, email }) =>
      [name.trim(), email, email.split('@')[0] ?? ''].map((each) => ({ userId, name: each.toLowerCase() })),
    )
    .filter(({ name }) => name !== '')
  const written = text.replaceAll(code, ' ').slice(0, appConfig.commentCharacters)
  const found = new Map<string, Mention>()
  for (const at of listPlaces(written)) {
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

/** Blocks and spans of code. */
const code = /```[^]*?(?:```|$)|`[^`\n]*`/g

/** The first places of an `@` that begins a word. */
function listPlaces(text: string): number[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}_.+@-])@(?=[\p{L}\p{N}])/gu)]
    .slice(0, limits.commentMentions)
    .map(({ index }) => index)
}

/** Nothing of a longer word or address follows. */
export function isMentionEnd(text: string, at: number): boolean {
  return !/^(?:[\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/u.test(text.slice(at, at + 3))
}
