import * as v from 'valibot'
import { parseUnsubscribeToken } from '#server/alerts/unsubscribe-link.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { formsFor, reject } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import { findOrganization } from '#server/store/accounts/organizations.ts'
import { findUser } from '#server/store/accounts/users.ts'
import { findDestinationById, recordDestinationState } from '#server/store/alerts/destinations.ts'
import { listPreferences, recordMailsEnded, wantsMails } from '#server/store/alerts/preferences.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { UnsubscriptionView } from './views.ts'

type Parts = Pick<Services, 'store' | 'env'>

/** The receiver of the mails that a link ends, and the function that ends them. */
interface MailSubscription extends NonNullable<UnsubscriptionView['receiver']> {
  end: () => Promise<unknown>
}

/** The receiver of the mails that a link ends. */
export async function getUnsubscriptionView(parts: Parts, token: string): Promise<UnsubscriptionView> {
  const found = await findSubscription(parts, token)
  if (found === undefined) return {}
  const { end: _end, ...receiver } = found
  return { receiver }
}

async function findSubscription({ store, env }: Parts, token: string): Promise<MailSubscription | undefined> {
  const receiver = parseUnsubscribeToken(token, await readInstallationSecret(store, env.secret))
  if (receiver === undefined) return undefined
  return receiver.kind === 'user' ? findOfUser(store, receiver.id) : findOfDestination(store, receiver.id)
}

async function findOfUser(store: Services['store'], userId: string): Promise<MailSubscription | undefined> {
  const [user, preferences] = await Promise.all([
    findUser(store.db, userId),
    listPreferences(store.db, userId),
  ])
  return (
    user && {
      email: user.email,
      isEnded: !wantsMails(preferences),
      end: () => recordMailsEnded(store, userId),
    }
  )
}

async function findOfDestination(
  store: Services['store'],
  destinationId: string,
): Promise<MailSubscription | undefined> {
  const destination = await findDestinationById(store.db, destinationId)
  const { settings, organizationId = 0, disabledAt, channel } = destination ?? {}
  const email = settings?.['to']
  if (channel !== 'email' || email === undefined) return undefined
  const organization = await findOrganization(store.db, organizationId)
  return {
    email,
    organizationName: organization?.name ?? '',
    isEnded: disabledAt !== undefined,
    end: () =>
      recordDestinationState(
        store,
        { organizationId, destinationId },
        { disabledReason: 'This address was unsubscribed by the link in a mail.' },
      ),
  }
}

/** The form of an unsubscribe link. */
interface UnsubscribeCall extends FormCall {
  subscription: MailSubscription
}

async function prepare(call: FormCall): Promise<Prepared<UnsubscribeCall>> {
  const subscription = await findSubscription(call.services, call.params['token'] ?? '')
  if (subscription === undefined) return { outcome: reject('This subscription no longer exists.', 410) }
  return { context: { ...call, subscription } }
}

/** Answers with the page, not with a redirect, which mail programs do not follow (RFC 8058 §3.1). */
const end = formsFor<UnsubscribeCall>()(v.object({}), async ({ subscription }) => {
  await subscription.end()
  return { kind: 'shown', shown: { kind: 'unsubscribed' } }
})

/** The form of `/unsubscribe/$token`, which mail programs also post directly, for one-click unsubscribing. */
export const unsubscribeForms = definePageForms({ end }, { prepare })
