import type { Message } from '#protocol/event.ts'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { boundJson, createSmallBudget } from '#server/normalize/free-form-json.ts'
import { fillTemplate } from '#server/normalize/message-template.ts'
import { cutText } from '#server/normalize/text.ts'

/**
 * Reads an event's message: `logentry`, otherwise `message` or its name before 2014; each an object or a
 * text.
 *
 * Formats a template that was sent without its formatted message.
 */
export function readMessage(event: FieldReader): Message | undefined {
  for (const key of ['logentry', 'message', 'sentry.interfaces.Message']) {
    const message = readEntry(event, key)
    if (message !== undefined) return message
  }
  return undefined
}

function readEntry(event: FieldReader, key: string): Message | undefined {
  const value = event.source[key]
  if (value === undefined || value === null) return undefined
  if (!isJsonObject(value)) {
    const formatted = event.trimmedText(key, limits.messageCharacters)
    return formatted === undefined ? undefined : { formatted }
  }
  const reader = event.within(value, key)
  const template = readText(reader, 'message')
  const params = readParams(value['params'])
  const formatted = readText(reader, 'formatted') ?? filled(template, params)
  if (formatted === undefined) return undefined
  const message: Message = { formatted }
  if (template !== undefined && template !== formatted) message.template = template
  if (params !== undefined) message.params = params
  return message
}

function readText(reader: FieldReader, key: string): string | undefined {
  const text = reader.anyText(key, limits.messageCharacters)?.trim()
  return text === '' ? undefined : text
}

function readParams(params: Json | undefined): Json | undefined {
  if (typeof params !== 'object' || params === null || Object.keys(params).length === 0) return undefined
  return boundJson(params, createSmallBudget())
}

function filled(template: string | undefined, params: Json | undefined): string | undefined {
  if (template === undefined || params === undefined) return template
  return cutText(fillTemplate(template, params, limits.messageCharacters).text, limits.messageCharacters)
}
