import { Link } from '@tanstack/react-router'
import { AccountCard } from '#components/account/account-card.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import type { UnsubscriptionView } from '#server/console/alerts/views.ts'

/** The `/unsubscribe/$token` screen: ends the mails to an address, with the link in a mail. */
export function Unsubscription({ view: { receiver } }: { view: UnsubscriptionView }) {
  const form = useForm('end')
  if (receiver === undefined)
    return (
      <AccountCard title="Not subscribed" text="This link has no subscription any more.">
        <Link to="/settings/notifications" className="button">
          Notifications
        </Link>
      </AccountCard>
    )
  const { email, organizationName, isEnded } = receiver
  const isOfTeam = organizationName !== undefined
  if (isEnded || form.shown !== undefined)
    return (
      <AccountCard title="Unsubscribed" text={<bdi>{`${email} gets no more alerts by mail.`}</bdi>}>
        <p>
          {isOfTeam
            ? 'An admin can enable the address again, under Settings → Destinations.'
            : 'Your inbox is not affected. You can turn mails on again under Settings → Notifications.'}
        </p>
      </AccountCard>
    )
  return (
    <AccountCard
      title="Unsubscribe"
      text={
        isOfTeam ? (
          <bdi>{`${email} gets alerts of ${organizationName}. This ends them for everybody who reads them there.`}</bdi>
        ) : (
          <bdi>{`${email} gets no more alerts by mail. Your inbox in Culvert continues.`}</bdi>
        )
      }
    >
      <Form form={form} submitLabel="Unsubscribe" />
    </AccountCard>
  )
}
