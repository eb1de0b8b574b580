import * as v from 'valibot'
import { defineChannel } from '#server/alerts/channels/channel.ts'
import { requiredText } from '#server/alerts/channels/field-schemas.ts'
import { isMailAddress } from '#server/mail-settings.ts'
import { toAlertMail } from './alert-mail.ts'

const addressProblem = 'Enter one email address, such as ops@example.com.'

/** Email to one address through the operator's mail server. */
export const email = defineChannel({
  kind: 'email',
  name: 'Email',
  help: 'Needs a mail server: CULVERT_SMTP_URL and CULVERT_MAIL_FROM in the environment of Culvert.',
  fields: [
    {
      name: 'to',
      label: 'Address',
      help: 'One address; for several people use a mailing list.',
      kind: 'email',
      example: 'ops@example.com',
    },
  ],
  schema: v.object({
    to: v.pipe(requiredText(addressProblem), v.check(isMailAddress, addressProblem)),
  }),
  async send({ message, settings: { to }, tools: { mail, deliveryId } }) {
    if (mail === undefined)
      return {
        verdict: 'rejected',
        answerExcerpt: 'No mail server is configured: CULVERT_SMTP_URL and CULVERT_MAIL_FROM.',
      }
    return mail.send(toAlertMail(message, { to, deliveryId, domain: mail.domain }))
  },
})
