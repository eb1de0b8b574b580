import { limits } from '#server/limits.ts'
import {
  createDestinationId,
  findDestination,
  recordDestination,
  updateDestination,
  type DestinationReference,
  type StoredDestination,
} from '#server/store/alerts/destinations.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { Store } from '#server/store/store.ts'
import { parseDestination, type KeptDestination } from './channels/destination-input.ts'
import { createSecretBox } from './channels/secret-box.ts'
import type { AlertAnswer, Destination } from './message.ts'

/** An entered destination. `values`: the settings of the channel by field. */
export interface EnteredDestination {
  name: string
  channel: string
  values: Readonly<Record<string, string>>
}

/** A stored destination, or a message for each invalid field; `name` and `kind` are also fields. */
export type EnteredResult =
  | { ok: true; destinationId: string }
  | { ok: false; problems: Readonly<Record<string, string>> }

/** The dependencies of managing destinations. `secret`: the operator's. */
export interface DestinationKeeper {
  store: Store
  secret: string | undefined
}

/** Adds a destination to an organization. */
export async function addDestination(
  { store, secret }: DestinationKeeper,
  organizationId: number,
  entered: EnteredDestination,
): Promise<EnteredResult> {
  const destinationId = createDestinationId()
  const parsed = await parseEntered({ store, secret }, { entered, destinationId })
  if (!parsed.ok) return parsed
  const isAdded = await recordDestination(store, { organizationId, destinationId }, parsed.values)
  if (isAdded) return { ok: true, destinationId }
  return {
    ok: false,
    problems: { name: `There are ${limits.alertDestinations} destinations already: delete one first.` },
  }
}

/**
 * Replaces the settings; an empty secret keeps the stored one, for the same host. Undefined if there is no
 * such destination.
 */
export async function changeDestination(
  { store, secret }: DestinationKeeper,
  reference: DestinationReference,
  entered: Omit<EnteredDestination, 'channel'>,
): Promise<EnteredResult | undefined> {
  const known = await findDestination(store.db, reference)
  if (known === undefined) return undefined
  const { destinationId } = reference
  const { settings, secret: keptSecret } = await openDestination({ store, secret }, known)
  const parsed = await parseEntered(
    { store, secret },
    {
      entered: { ...entered, channel: known.channel },
      destinationId,
      kept: { settings, secret: keptSecret },
    },
  )
  if (!parsed.ok) return parsed
  const isKnown = await updateDestination(store, reference, parsed.values)
  return isKnown ? { ok: true, destinationId } : undefined
}

/**
 * The answer instead of an attempt without the secret: a webhook would be sent without its signature, and
 * other channels would lose the message.
 */
export const unreadableSecret: AlertAnswer = {
  verdict: 'retry',
  answerExcerpt:
    'The secret of the destination was encrypted with another CULVERT_SECRET. Restore that, or enter the secret again.',
}

/** A destination with its decrypted secret, for one attempt. Without the secret if it cannot be decrypted. */
export async function openDestination(
  { store, secret }: DestinationKeeper,
  { id, channel, settings, sealedSecret }: StoredDestination,
): Promise<Destination> {
  const destination = { id, kind: channel, settings }
  if (sealedSecret === undefined) return destination
  const opened = createSecretBox(await readInstallationSecret(store, secret)).open(sealedSecret, id)
  return opened === undefined ? destination : { ...destination, secret: opened }
}

async function parseEntered(
  { store, secret }: DestinationKeeper,
  of: { entered: EnteredDestination; destinationId: string; kept?: KeptDestination },
) {
  const { entered, destinationId, kept } = of
  const name = entered.name.trim()
  const input = parseDestination(entered.channel, entered.values, kept)
  const nameProblem = findNameProblem(name)
  if (!input.ok || nameProblem !== undefined) {
    const problems = {
      ...(nameProblem !== undefined && { name: nameProblem }),
      ...(!input.ok && input.problems),
    }
    return { ok: false, problems } as const
  }
  const box = createSecretBox(await readInstallationSecret(store, secret))
  const values = {
    name,
    channel: entered.channel,
    settings: input.settings,
    ...(input.secret !== undefined && { sealedSecret: box.seal(input.secret, destinationId) }),
  }
  return { ok: true, values } as const
}

function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name, such as #ops.'
  if (name.length > limits.alertDestinationNameCharacters)
    return `Use at most ${limits.alertDestinationNameCharacters} characters.`
  return /\p{Cc}/u.test(name) ? 'Enter one line without control characters.' : undefined
}
