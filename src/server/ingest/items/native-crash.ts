import type { EnvelopeItem } from '#protocol/envelope.ts'
import type { JsonObject } from '#protocol/json.ts'
import { isEmpty } from '#server/normalize/emptiness.ts'
import type { ItemPayload } from './scrubbed.ts'

/** Relay's placeholder for the exception that is in the minidump. */
const exception = {
  type: 'Minidump',
  value: 'Native crash',
  mechanism: { type: 'minidump', handled: false, synthetic: true },
}

/**
 * Returns the event of a native crash with a placeholder exception, so that it has a title and counts as
 * unhandled. The SDKs (sentry-native with Breakpad, Electron) leave the exception to the minidump, which is
 * an attachment. Other events are returned unchanged.
 */
export function withNativeCrash(item: ItemPayload, items: readonly EnvelopeItem[]): ItemPayload {
  const { value, payload } = item
  if (value['exception'] !== undefined || !items.some(isMinidump)) return item
  const added: JsonObject = {
    exception: { values: [exception] },
    ...(value['level'] === undefined && { level: 'fatal' }),
  }
  // The fields are inserted into the bytes: serializing the value of a hostile client could fail.
  const fields = JSON.stringify(added).slice(0, -1)
  const start = Buffer.from(isEmpty(value) ? fields : `${fields},`)
  const rest = payload.subarray(payload.indexOf(openingBrace) + 1)
  return { value: { ...value, ...added }, payload: Buffer.concat([start, rest]) }
}

const openingBrace = 0x7b

function isMinidump({ type, header }: EnvelopeItem): boolean {
  return type === 'attachment' && header['attachment_type'] === 'event.minidump'
}
