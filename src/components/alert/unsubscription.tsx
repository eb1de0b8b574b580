import { AccountCard } from '#components/account/account-card.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Link } from '#components/ui/link.tsx'
import type { UnsubscriptionView } from '#server/console/alerts/views.ts'

/** The `/unsubscribe/$token` screen: ends the mails to an address, with the link in a mail. */
export function Unsubscription({ view: { receiver } }: { view: UnsubscriptionView }) {
  const form = useForm('end')
  if (receiver === undefined)
    return (
      <AccountCard title="Not subscribed" text="This subscription no longer exists.">
        <Link to="/settings/notifications" className="button">
          Notifications
        </Link>
      </AccountCard>
    )
  const { email, organizationName, isEnded } = receiver
  const isOfTeam = organizationName !== undefined
  if (isEnded || form.shown !== undefined)
    return (
      <AccountCard title="Unsubscribed" text={<bdi>{`${email} no longer gets alert mails.`}</bdi>}>
        <p>
          {isOfTeam
            ? 'An admin can enable the address again, under Settings → Destinations.'
            : 'Your inbox is not affected. You can enable email again under Settings → Notifications.'}
        </p>
      </AccountCard>
    )
  return (
    <AccountCard
      title="Unsubscribe"
      text={
        isOfTeam ? (
          <bdi>{`${email} gets alerts of ${organizationName}. This stops them for all readers of the address.`}</bdi>
        ) : (
          <bdi>{`${email} will get no more alert mails. Your inbox in Culvert is not affected.`}</bdi>
        )
      }
    >
      <Form form={form} submitLabel="Unsubscribe" />
    </AccountCard>
  )
}
