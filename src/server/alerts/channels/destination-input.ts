import * as v from 'valibot'
import { parseSecrets, type Channel } from './channel.ts'
import { findChannel } from './channels.ts'

/** A parsed destination, or a message for each invalid field. */
export type DestinationInput =
  | { ok: true; settings: Record<string, string>; secret?: string }
  | { ok: false; problems: Readonly<Record<string, string>> }

/**
 * Parses the fields of a destination. An empty secret keeps the stored one (`keptSecret`, decrypted). Encrypt
 * the secret of the result before storing it.
 */
export function parseDestination(
  kind: string,
  values: Readonly<Record<string, string>>,
  keptSecret?: string,
): DestinationInput {
  const channel = findChannel(kind)
  if (channel === undefined) return { ok: false, problems: { kind: 'Choose a channel.' } }
  const kept = parseSecrets(keptSecret)
  const entered = channel.fields.map(({ name, isSecret }): [string, string] => {
    const value = values[name]?.trim() ?? ''
    return [name, value === '' && isSecret === true ? (kept[name] ?? '') : value]
  })
  const result = v.safeParse(channel.schema, Object.fromEntries(entered))
  if (!result.success) return { ok: false, problems: toProblems(result.issues) }
  return { ok: true, ...split(channel, entered) }
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
