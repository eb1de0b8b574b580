import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEnvelope } from '#protocol/envelope.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { groupEvent } from '#server/group/group-event.ts'
import { eventCulprit } from '#server/normalize/culprit.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { eventTitle } from '#server/normalize/title.ts'
import { userIdentity } from '#server/normalize/user-identity.ts'
import { findForeignDigests } from './items/foreign-digests.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/envelopes')
const receivedAt = Date.UTC(2026, 10, 21, 5)

/** Everything that the store keeps in addition to an event's payload. */
function indexOf(value: unknown, isForIndex: boolean): object {
  const event = normalizeEvent(value, { eventId: 'a'.repeat(32), receivedAt, isForIndex })
  const { type, level, platform, logger, occurredAt, environment, release, transaction, traceId } = event
  return {
    fields: { type, level, platform, logger, occurredAt, environment, release, transaction, traceId },
    title: eventTitle(event),
    culprit: eventCulprit(event),
    tags: indexedTags(event),
    user: userIdentity(event),
    digests: findForeignDigests(event),
    grouping: groupEvent(event),
    feedback: event.feedback,
  }
}

function payloadsOf(file: string): unknown[] {
  const bytes = readFileSync(join(folder, file))
  const parsed = parseEnvelope(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
  if (!parsed.ok) return []
  return parsed.envelope.items.flatMap(({ payload }) => {
    const json = parsePayloadJson(payload)
    return json.ok ? [json.value] : []
  })
}

describe('an event that is read for the index only', () => {
  const files = readdirSync(folder).filter((file) => /\.body(?:\.gz)?$/.test(file))

  it('has the same index as the fully parsed event: events of real SDKs', () => {
    const payloads = files.flatMap(payloadsOf)
    expect(payloads.length).toBeGreaterThan(10)
    for (const payload of payloads) expect(indexOf(payload, true)).toEqual(indexOf(payload, false))
  })

  it('has the same index as the fully parsed event: any event', () => {
    const text = fc.constantFrom('console', "digest: '1135396951'", 'x', 'Error', 'app.js', '')
    const { event } = fc.letrec((tie) => ({
      event: fc.dictionary(
        fc.constantFrom(
          ...'breadcrumbs values exception stacktrace frames vars pre_context context_line function filename'.split(
            ' ',
          ),
          ...'category message modules extra digest tags threads type value level in_app contexts'.split(' '),
        ),
        fc.oneof({ maxDepth: 6 }, text, fc.integer(), fc.array(tie('event'), { maxLength: 3 }), tie('event')),
      ),
    }))
    fc.assert(
      fc.property(event, (payload) => {
        expect(indexOf(payload, true)).toEqual(indexOf(payload, false))
      }),
      { numRuns: 500 },
    )
  })

  it('finds the digests that a framework printed on the console', () => {
    const exception = { values: [{ type: 'Error', value: 'no card' }] }
    const breadcrumbs = [
      { category: 'ui.click', message: "no card digest: '1111111111'" },
      { category: 'console', message: "Error: no card { digest: '1135396951' }" },
      { category: 'console', data: { arguments: [{ message: 'no card', digest: '3655128469' }] } },
    ]
    expect(indexOf({ exception, breadcrumbs }, true)).toMatchObject({ digests: ['1135396951', '3655128469'] })
  })
})
