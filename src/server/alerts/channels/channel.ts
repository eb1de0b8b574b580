import * as v from 'valibot'
import type { AlertAnswer, AlertMessage, DeliverAlert, Destination } from '#server/alerts/message.ts'
import type { MailSender } from './email/mail-sender.ts'
import type { HttpTools } from './http/send-json.ts'
import type { VapidKeys } from './push/vapid.ts'

/** The dependencies of a channel in one attempt. */
export interface ChannelTools extends HttpTools {
  /** Absent if no mail server is configured. */
  mail?: MailSender
  /** Equal for all attempts to deliver a message to a destination; letters, digits, `-` and `_`. */
  deliveryId: string
  /** The message at the receiver to edit instead of sending a new one, if the channel supports it. */
  editedRef?: string
  /** Unix milliseconds. */
  now: () => number
  /** The keys that identify this installation to push services; absent without subscribed browsers. */
  readVapid?: () => Promise<VapidKeys>
  /** Scheme, host and port of the console. */
  origin?: string
}

/** A setting of a destination in a form. */
export interface ChannelField {
  name: string
  label: string
  help: string
  kind: 'text' | 'url' | 'email' | 'json' | 'choice'
  /** Encrypted in the store, and never displayed again. */
  isSecret?: true
  isOptional?: true
  /** The URL that an empty field means. */
  defaultUrl?: string
  choices?: readonly string[]
  example?: string
}

/** A kind of receiver of alerts. */
export interface Channel {
  kind: string
  name: string
  /** Explains how to get the URL or the token. */
  help: string
  fields: readonly ChannelField[]
  /** All settings, including secret ones, as texts by field. Its messages appear at the field. */
  schema: v.GenericSchema<unknown, Readonly<Record<string, unknown>>>
  deliver: DeliverAlert<ChannelTools>
}

/** One attempt with settings that the channel's schema has parsed. */
export interface ChannelAttempt<Settings> {
  message: AlertMessage
  destination: Destination
  settings: Settings
  tools: ChannelTools
}

interface ChannelParts<Schema extends v.GenericSchema> {
  kind: string
  name: string
  help: string
  fields: readonly ChannelField[]
  schema: Schema
  send: (attempt: ChannelAttempt<v.InferOutput<Schema>>) => Promise<AlertAnswer>
}

/** Defines a channel whose `send` function gets settings that the schema has parsed. */
export function defineChannel<Schema extends v.GenericSchema<unknown, Readonly<Record<string, unknown>>>>({
  send,
  ...parts
}: ChannelParts<Schema>): Channel {
  return {
    ...parts,
    async deliver(message, destination, tools) {
      const parsed = v.safeParse(parts.schema, {
        ...destination.settings,
        ...parseSecrets(destination.secret),
      })
      if (parsed.success) return send({ message, destination, settings: parsed.output, tools })
      const [issue] = parsed.issues
      const field = v.getDotPath(issue) ?? 'settings'
      return { verdict: 'rejected', answerExcerpt: `The settings are not usable: ${field}: ${issue.message}` }
    },
  }
}

const Secrets = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()))

/** The secret settings of a destination by field; empty if there are none. */
export function parseSecrets(secret: string | undefined): Readonly<Record<string, string>> {
  const result = v.safeParse(Secrets, secret ?? '{}')
  return result.success ? result.output : {}
}
