import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { ChannelField } from './channel.ts'

const text = (missing: string, maxCharacters: number) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.minLength(1, missing),
    v.maxLength(maxCharacters, `Enter at most ${maxCharacters} characters.`),
    v.regex(/^[^\p{Cc}]*$/u, 'Enter one line without control characters.'),
  )

/** The URL of an incoming webhook, in the form of a destination. `audience`: its messages appear there. */
export function webhookUrlField(example: string, audience = 'channel'): ChannelField {
  return {
    name: 'url',
    label: 'Webhook URL',
    help: `Everyone who has it can post into the ${audience}.`,
    kind: 'url',
    isSecret: true,
    example,
  }
}

/** A required setting. `missing`: the error message. */
export function requiredText(missing: string) {
  return text(missing, limits.channelSettingCharacters)
}

/** A setting that matches a pattern. `problem`: the error message. */
export function matchingText(pattern: RegExp, problem: string) {
  return v.pipe(requiredText(problem), v.regex(pattern, problem))
}

/** The same, or undefined for an empty text. */
export function optionalText(pattern: RegExp, problem: string) {
  return v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.maxLength(
      limits.channelSettingCharacters,
      `Enter at most ${limits.channelSettingCharacters} characters.`,
    ),
    v.check((value) => value === '' || (pattern.test(value) && !/\p{Cc}/u.test(value)), problem),
    v.transform((value) => (value === '' ? undefined : value)),
  )
}

/** An http or https URL. `problem`: the error message; `path`: the pattern of its path. */
export function webUrl(problem: string, path = /^/) {
  return v.pipe(
    text(problem, limits.channelUrlCharacters),
    v.check((value) => isWebUrl(value), `${problem} It begins with https:// and has no user name in it.`),
    v.check((value) => path.test(URL.parse(value)?.pathname ?? ''), problem),
  )
}

/** The same with a default URL. */
export function webUrlOr(known: string, problem: string) {
  return v.pipe(
    v.optional(v.string(), ''),
    v.transform((value) => (value.trim() === '' ? known : value.trim())),
    v.maxLength(limits.channelUrlCharacters, `Enter at most ${limits.channelUrlCharacters} characters.`),
    v.check((value) => isWebUrl(value), problem),
    v.transform((value) => value.replace(/\/+$/, '')),
  )
}

/**
 * Printable ASCII only: URL parsers differ about other characters, and one of them decides where to connect.
 */
function isWebUrl(value: string): boolean {
  const url = /^https?:\/\/[!-[\]-~]+$/i.test(value) ? URL.parse(value) : null
  return url?.username === '' && url.password === '' && url.hash === ''
}
