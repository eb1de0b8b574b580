import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { defineChannel } from './channel.ts'
import { webUrl } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { toWebhookBody } from './webhook-body.ts'
import { fillWebhookTemplate, findTemplateProblem } from './webhook-template.ts'

/** A signing secret of Standard Webhooks: 24 to 64 bytes. */
function readSigningKey(secret: string): Buffer | undefined {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = base64 === undefined ? undefined : Buffer.from(base64, 'base64')
  return key !== undefined && key.length >= 24 && key.length <= 64 ? key : undefined
}

const secretProblem =
  'Enter a secret: whsec_ and 24 to 64 random bytes in Base64. To change the secret, enter the new one, a space and the old one.'

/** A webhook with the body of Standard Webhooks 1.0, or of a JSON template. */
export const webhook = defineChannel({
  kind: 'webhook',
  name: 'Webhook',
  help: 'A POST request with JSON, signed by Standard Webhooks 1.0. A template changes the JSON to the format of another service.',
  fields: [
    {
      name: 'url',
      label: 'URL',
      help: 'Never shown again: many URLs have a token in them.',
      kind: 'url',
      isSecret: true,
      example: 'https://example.com/hooks/culvert',
    },
    {
      name: 'secret',
      label: 'Signing secret',
      help: 'The receiver verifies signatures with it. To rotate it, enter the new and the old secret, separated by a space: requests are signed with both.',
      kind: 'text',
      isSecret: true,
      isOptional: true,
      example: 'whsec_…',
    },
    {
      name: 'template',
      label: 'Template',
      help: 'JSON with placeholders in its texts, such as {"text": "{{headline}}"}. Default: the documented body.',
      kind: 'json',
      isOptional: true,
    },
  ],
  schema: v.object({
    url: webUrl('Enter the URL of the receiver.'),
    secret: v.pipe(
      v.optional(v.string(), ''),
      v.transform((text) =>
        text
          .trim()
          .split(/\s+/)
          .filter((secret) => secret !== ''),
      ),
      v.maxLength(2, 'Enter at most two secrets: the new one, a space and the old one.'),
      v.check((secrets) => secrets.every((secret) => readSigningKey(secret) !== undefined), secretProblem),
    ),
    template: v.pipe(
      v.optional(v.string(), ''),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem =
          !dataset.typed || dataset.value.trim() === '' ? undefined : findTemplateProblem(dataset.value)
        if (problem !== undefined) addIssue({ message: problem })
      }),
    ),
  }),
  async send({ message, settings: { url, secret: secrets, template }, tools }) {
    const now = tools.now()
    const body =
      template.trim() === ''
        ? JSON.stringify(toWebhookBody(message, now))
        : fillWebhookTemplate(template, message)
    if (Buffer.byteLength(body) > limits.webhookFilledBytes)
      return {
        verdict: 'rejected',
        answerExcerpt: `The filled template has more than ${limits.webhookFilledBytes} bytes.`,
      }
    const headers = toSignedHeaders({ id: tools.deliveryId, seconds: Math.floor(now / 1_000), body, secrets })
    const answer = await sendJson({ url, headers, body }, tools)
    return judgeReceiver(answer, { disabling: [410], now })
  },
})

interface SignedParts {
  /** Equal for all attempts, so that receivers can drop duplicates. */
  id: string
  /** Unix seconds of the attempt. */
  seconds: number
  body: string
  secrets: readonly string[]
}

/** The headers of Standard Webhooks, with a signature for each secret. */
function toSignedHeaders({ id: deliveryId, seconds, body, secrets }: SignedParts): Record<string, string> {
  // A dot separates the signed parts.
  const id = `msg_${deliveryId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  const signatures = secrets.flatMap((secret) => {
    const key = readSigningKey(secret)
    return key === undefined
      ? []
      : [`v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`]
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}
