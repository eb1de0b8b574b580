import * as v from 'valibot'
import type { Channel } from '#server/alerts/channels/channel.ts'
import { channels, findChannel } from '#server/alerts/channels/channels.ts'
import { addDestination, changeDestination, type EnteredResult } from '#server/alerts/manage-destinations.ts'
import { sendTestMessage } from '#server/alerts/test-message.ts'
import { findConfigurable, listConfigurable, type Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { rawText, text } from '#server/forms/fields.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import {
  deleteDestination,
  findDestination,
  listDestinations,
  recordDestinationState,
  type StoredDestination,
} from '#server/store/alerts/destinations.ts'
import { listAlertRules, type StoredRule } from '#server/store/alerts/rules.ts'
import type { DestinationsView, DestinationView } from './views.ts'

/** The destinations of every organization that the viewer may configure. */
export async function getDestinationsView(
  { store: { db }, clock, env, mailCheck }: Services,
  viewer: Viewer,
  search: { channel?: string | undefined },
): Promise<DestinationsView> {
  const managed = listConfigurable(viewer)
  const channel = findChannel(search.channel ?? '') ?? channels[0]
  const organizations = await Promise.all(
    managed.map(async ({ organizationId: id, organizationName: name }) => {
      const [destinations, rules] = await Promise.all([listDestinations(db, id), listAlertRules(db, id)])
      return { id, name, destinations: destinations.map((each) => toView(each, rules)) }
    }),
  )
  return {
    now: clock(),
    hasMail: env.mail !== undefined,
    mailProblem: mailCheck.findProblem(),
    organizations,
    channels: channels.map(({ kind, name }) => ({ kind, name })),
    channel: {
      kind: channel?.kind ?? '',
      name: channel?.name ?? '',
      help: channel?.help ?? '',
      fields: toFields(channel),
    },
  }
}

function toView(destination: StoredDestination, rules: readonly StoredRule[]): DestinationView {
  const { id, name, channel: kind, settings } = destination
  const channel = findChannel(kind)
  const isUsing = ({ rule }: StoredRule) =>
    rule.actions.some((action) => action.kind === 'destination' && action.id === id)
  return {
    id,
    name,
    channelName: channel?.name ?? kind,
    fields: toFields(channel),
    settings,
    isUnreadable: destination.isUnreadable || channel === undefined,
    disabledAt: destination.disabledAt,
    disabledReason: destination.disabledReason,
    failingSince: destination.failingSince,
    lastError: destination.lastError,
    ruleNames: rules.filter(isUsing).map(({ rule }) => rule.name),
  }
}

function toFields(channel: Channel | undefined): DestinationView['fields'] {
  return [...(channel?.fields ?? [])]
}

/** A form about the destinations of an organization, from a user who configures it. */
interface DestinationsCall {
  services: Services
  organizationId: number
}

const destinationForm = formsFor<DestinationsCall>()

/** The settings of a channel are fields whose names begin with it. */
const settingPrefix = 'setting-'

const enteredFields = v.pipe(
  v.looseObject({ name: text, channel: text, destination: rawText }),
  v.transform(({ name, channel, destination, ...fields }) => ({
    name,
    channel,
    destinationId: destination,
    values: Object.fromEntries(
      Object.entries(fields).flatMap(([field, value]) =>
        field.startsWith(settingPrefix) && typeof value === 'string'
          ? [[field.slice(settingPrefix.length), value]]
          : [],
      ),
    ),
  })),
)

/** The settings of each channel. */
const settingFields = {
  fieldsByChoice: {
    channel: Object.fromEntries(
      channels.map(({ kind, fields }) => [kind, fields.map(({ name }) => `${settingPrefix}${name}`)]),
    ),
  },
}

const add = destinationForm(
  enteredFields,
  async ({ services, organizationId, fields }) => {
    const { store, env } = services
    const result = await addDestination({ store, secret: env.secret }, organizationId, fields)
    return toOutcome(result, 'Destination added. Send a test to see whether it works.')
  },
  settingFields,
)

const change = destinationForm(
  enteredFields,
  async ({ services, organizationId, fields }) => {
    const { store, env } = services
    const reference = { organizationId, destinationId: fields.destinationId }
    const result = await changeDestination({ store, secret: env.secret }, reference, fields)
    return result === undefined ? notHere : toOutcome(result, 'Destination saved.')
  },
  settingFields,
)

function toOutcome(result: EnteredResult, doneText: string): FormOutcome {
  if (result.ok) return { kind: 'done', text: doneText }
  return reject(
    Object.entries(result.problems).map(([field, message]) => ({
      field: field === 'name' ? field : `${settingPrefix}${field}`,
      message,
    })),
  )
}

const oneField = v.object({ destination: rawText })

const test = destinationForm(oneField, async ({ services, organizationId, fields }) => {
  const { store, env, publicOrigin, alertDeliverer } = services
  const found = await findDestination(store.db, { organizationId, destinationId: fields.destination })
  if (found === undefined) return notHere
  if (found.isUnreadable)
    return reject('This version of Culvert cannot read the settings of the destination.')
  const { verdict, status, answerExcerpt } = await sendTestMessage(
    { store, secret: env.secret, origin: publicOrigin, deliverer: alertDeliverer },
    found,
  )
  const answer = [status, answerExcerpt].filter((part) => part !== undefined && part !== '').join(' ')
  return verdict === 'delivered'
    ? { kind: 'done', text: `Test sent. Response: ${answer}` }
    : reject(`The test failed. ${answer === '' ? 'No response.' : `Response: ${answer}`}`)
})

const enable = destinationForm(oneField, async ({ services: { store }, organizationId, fields }) => {
  const reference = { organizationId, destinationId: fields.destination }
  const isKnown = await recordDestinationState(store, reference, {})
  return isKnown ? { kind: 'done', text: 'Destination enabled.' } : notHere
})

const disable = destinationForm(oneField, async ({ services: { store }, organizationId, fields }) => {
  const reference = { organizationId, destinationId: fields.destination }
  const isKnown = await recordDestinationState(store, reference, { disabledReason: 'Disabled by an admin.' })
  return isKnown ? { kind: 'done', text: 'Destination disabled.' } : notHere
})

const remove = destinationForm(oneField, async ({ services: { store }, organizationId, fields }) => {
  const isKnown = await deleteDestination(store, { organizationId, destinationId: fields.destination })
  return isKnown ? { kind: 'done', text: 'Destination deleted.' } : notHere
})

/** The forms of `/settings/destinations`. */
export const destinationForms = definePageForms(
  { add, change, test, enable, disable, remove },
  { prepare: findConfigured },
)

function findConfigured({ services, viewer, fields }: FormCall): Promise<Prepared<DestinationsCall>> {
  if (viewer === undefined) return Promise.resolve({ outcome: { kind: 'signed-out' } })
  const membership = findConfigurable(viewer, fields['organization'])
  if (membership === undefined) return Promise.resolve({ outcome: notHere })
  return Promise.resolve({ context: { services, organizationId: membership.organizationId } })
}

const notHere = reject('This destination no longer exists. Reload the page.', 403)
