import * as v from 'valibot'
import { parseSecrets, type Channel } from './channel.ts'
import { findChannel } from './channels.ts'

/** A parsed destination, or a message for each invalid field. */
export type DestinationInput =
  | { ok: true; settings: Record<string, string>; secret?: string }
  | { ok: false; problems: Readonly<Record<string, string>> }

/** A stored destination. `secret` is decrypted. */
export interface KeptDestination {
  settings: Readonly<Record<string, unknown>>
  secret?: string | undefined
}

/**
 * Parses the fields of a destination. An empty secret keeps the stored one of `kept`, unless its settings
 * lead to another host: a user who changes the address must not receive a secret that they cannot read. An
 * optional secret is then dropped. Encrypt the secret of the result before storing it.
 */
export function parseDestination(
  kind: string,
  values: Readonly<Record<string, string>>,
  kept: KeptDestination = { settings: {} },
): DestinationInput {
  const channel = findChannel(kind)
  if (channel === undefined) return { ok: false, problems: { kind: 'Choose a channel.' } }
  const keptSecrets = parseSecrets(kept.secret)
  const isMoved = isOtherHost(channel, values, kept)
  const problems: Record<string, string> = {}
  const entered = channel.fields.map(({ name, isSecret, isOptional }): [string, string] => {
    const value = values[name]?.trim() ?? ''
    const { [name]: keptSecret } = keptSecrets
    if (value !== '' || isSecret !== true || keptSecret === undefined) return [name, value]
    if (isMoved && isOptional === true) return [name, '']
    if (isMoved) problems[name] = enterAgain
    return [name, keptSecret]
  })
  const result = v.safeParse(channel.schema, Object.fromEntries(entered))
  if (!result.success) Object.assign(problems, toProblems(result.issues))
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, ...split(channel, entered) }
}

const enterAgain = 'Enter it again: it was entered for another address.'

/** True if one of the addresses that are not secret has another origin than the stored one. */
function isOtherHost(
  { fields }: Channel,
  values: Readonly<Record<string, string>>,
  { settings }: KeptDestination,
): boolean {
  return fields.some(
    ({ name, kind, isSecret, defaultUrl = '' }) =>
      kind === 'url' &&
      isSecret !== true &&
      originOf(values[name], defaultUrl) !== originOf(settings[name], defaultUrl),
  )
}

function originOf(address: unknown, defaultUrl: string): string {
  const entered = typeof address === 'string' ? address.trim() : ''
  return URL.parse(entered === '' ? defaultUrl : entered)?.origin ?? ''
}

function toProblems(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const issue of issues) problems[v.getDotPath(issue) ?? 'kind'] ??= issue.message
  return problems
}

/** Splits settings for the store: the secret ones become one JSON object. */
function split({ fields }: Channel, entered: readonly [string, string][]) {
  const given = entered.filter(([, value]) => value !== '')
  const isSecret = (name: string) => fields.some((field) => field.name === name && field.isSecret === true)
  const secrets = given.filter(([name]) => isSecret(name))
  return {
    settings: Object.fromEntries(given.filter(([name]) => !isSecret(name))),
    ...(secrets.length > 0 && { secret: JSON.stringify(Object.fromEntries(secrets)) }),
  }
}
