import { randomBytes } from 'node:crypto'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { receive } from './receive/receive.ts'

/** The response to a test event: 200 means that it was accepted under this id, unless a filter dropped it. */
export interface TestEventResult {
  status: number
  eventId: string
}

/**
 * Sends an event to a project as an SDK does: with its key, through authentication, limits, filters and
 * grouping.
 */
export async function sendTestEvent(
  services: IngestServices,
  { projectId, publicKey }: { projectId: number; publicKey: string },
): Promise<TestEventResult> {
  const eventId = randomBytes(16).toString('hex')
  const body = Buffer.from(testEnvelope(eventId, services.clock()))
  const { status } = await receive(services, {
    method: 'POST',
    target: { route: 'envelope', project: String(projectId) },
    query: `sentry_key=${publicKey}&sentry_client=culvert.test-event`,
    header: () => undefined,
    readBody: () => Promise.resolve({ ok: true, bytes: body }),
  })
  return { status, eventId }
}

function testEnvelope(eventId: string, at: number): string {
  const event = {
    event_id: eventId,
    timestamp: at / 1000,
    platform: 'other',
    level: 'error',
    environment: 'test',
    logger: 'culvert.test-event',
    tags: { test: 'yes' },
    exception: {
      values: [
        {
          type: 'TestEvent',
          value: 'A user sent a test event',
          mechanism: { type: 'generic', handled: true },
          stacktrace: {
            frames: [
              { function: 'main', filename: 'test-event/main', lineno: 3, in_app: true },
              { function: 'pressButton', filename: 'test-event/button', lineno: 7, in_app: true },
            ],
          },
        },
      ],
    },
  }
  return `${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}
