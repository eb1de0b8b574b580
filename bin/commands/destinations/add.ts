import type { Channel } from '#server/alerts/channels/channel.ts'
import { channels, findChannel } from '#server/alerts/channels/channels.ts'
import { createDestinationRule } from '#server/alerts/channels/http/destination-rule.ts'
import { toConnectionTarget } from '#server/alerts/channels/http/send-json.ts'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { resolveHost } from '#server/forward/addresses/private-host.ts'
import type { AddressRule } from '#server/forward/connection.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert destination add CHANNEL NAME SETTING=VALUE …'

/** `culvert destination add`: adds a destination of alerts to the first organization. */
export const destinationAdd: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const [kind = '', name = '', ...settings] = positionals
  const channel = findChannel(kind)
  if (channel === undefined) {
    const kinds = channels.map((each) => each.kind).join(', ')
    throw new OperatorError(
      `${JSON.stringify(kind)} is not a channel. Channels: ${kinds}.\nUsage: ${usage}`,
      2,
    )
  }
  if (positionals.length === 1) throw new OperatorError(`${listSettings(channel)}Usage: ${usage}`, 2)
  const fields = channel.fields.map((field) => field.name)
  const values = Object.fromEntries(settings.map((setting) => parseSetting(setting, fields)))
  const { secret, privateDestinations } = requireEnv(context.variables)
  await withProjectStore(context, async ({ store }) => {
    const entered = { name, channel: kind, values }
    const result = await addDestination({ store, secret }, firstOrganizationId, entered)
    if (!result.ok) {
      const problems = Object.entries(result.problems).map(([field, message]) => `${field}: ${message}`)
      throw new OperatorError(`${problems.join('\n')}\nUsage: ${usage}`, 2)
    }
    context.print(`destination  ${result.destinationId}\n`)
  })
  const rule = createDestinationRule(privateDestinations)
  for (const { name: field } of channel.fields.filter((each) => each.kind === 'url')) {
    const url = URL.parse(values[field] ?? '')
    const problem = url && (await findAddressProblem(url, rule))
    if (url && problem !== undefined)
      context.report(`Culvert will not send to ${url.host}: ${problem} in the server's environment.\n`)
  }
}

/** Why the server will not connect to any address of a URL; undefined if it will, or without an address. */
async function findAddressProblem(url: URL, rule: AddressRule): Promise<string | undefined> {
  const problems = (await resolveHost(url.host)).map((address) => rule(address, toConnectionTarget(url)))
  return problems.includes(undefined) ? undefined : problems[0]
}

/** One line for each setting of a channel. */
function listSettings({ name, fields }: Channel): string {
  const lines = fields.map((field) => {
    const kind = field.isOptional === true ? ' (optional)' : ''
    return `  ${`${field.name}=…`.padEnd(16)}  ${field.label}${kind}. ${field.help}\n`
  })
  return `A name and settings are required. Settings of ${name}:\n${lines.join('')}`
}

function parseSetting(setting: string, fields: readonly string[]): [string, string] {
  const [, name = '', value = ''] = /^([^=]*)=([^]*)$/.exec(setting) ?? []
  if (fields.includes(name)) return [name, value]
  throw new OperatorError(
    `${JSON.stringify(setting)} is not a setting of this channel. Settings: ${fields.map((field) => `${field}=…`).join(' ')}.\nUsage: ${usage}`,
    2,
  )
}
