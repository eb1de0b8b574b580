import { compressAttachments } from '#server/ingest/items/compress-attachments.ts'
import type { CommitEntry } from '#server/store/ingest/records.ts'
import { processEnvelope, readEnvelope } from '../envelope-work.ts'
import { testId } from '../test-store.ts'
import type { WorkEnvelope, WorkItem } from './steps.ts'

/** The work that ingest commits for a random envelope that is received at `now`. */
export async function toCommitEntry(envelope: WorkEnvelope, now: number): Promise<CommitEntry> {
  const { projectId } = envelope
  const context = { projectId, receivedAt: now, clientAddress: '198.51.100.7' }
  const { work, attachments } = processEnvelope(readEnvelope(Buffer.concat(toBytes(envelope, now))), context)
  if (attachments.length > 0) work.attachments = await compressAttachments(attachments)
  return work
}

const eventId = (projectId: number, id: number) => testId(`${projectId} event ${id}`)

function toBytes({ projectId, items }: WorkEnvelope, now: number): Buffer[] {
  // The id in the header of an envelope is that of its event.
  const ownId = eventId(projectId, findId(items) ?? 99)
  const header = { event_id: ownId }
  const lines = items.map((item) => toItem(item, { projectId, ownId, now }))
  return [
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...lines.flatMap(({ header: itemHeader, payload }) => [
      Buffer.from(`${JSON.stringify({ ...itemHeader, length: payload.byteLength })}\n`),
      payload,
      Buffer.from('\n'),
    ]),
  ]
}

function findId(items: readonly WorkItem[]): number | undefined {
  for (const item of items) {
    if (item.kind === 'event') return item.fields.id
    if ('id' in item) return item.id
  }
  return undefined
}

interface Origin {
  projectId: number
  /** The id of the envelope's event. */
  ownId: string
  now: number
}

interface SentItem {
  header: Record<string, unknown>
  payload: Buffer
}

function toJsonItem(type: string, value: unknown): SentItem {
  return { header: { type }, payload: Buffer.from(JSON.stringify(value)) }
}

function toItem(item: WorkItem, origin: Origin): SentItem {
  const { projectId, ownId, now } = origin
  switch (item.kind) {
    case 'event':
      return toJsonItem('event', toEvent(item.fields, origin))
    case 'message': {
      const { text, fingerprint } = item
      const fields = { event_id: ownId, timestamp: now / 1_000, message: text }
      return toJsonItem('event', { ...fields, ...(fingerprint && { fingerprint: [fingerprint] }) })
    }
    case 'feedback': {
      const { about, text, name } = item
      const feedback = { message: text, name, associated_event_id: eventId(projectId, about) }
      return toJsonItem('feedback', {
        event_id: ownId,
        timestamp: now / 1_000,
        contexts: { feedback },
      })
    }
    case 'user_report':
      return toJsonItem('user_report', {
        event_id: eventId(projectId, item.about),
        comments: item.text,
        name: 'Eve',
      })
    case 'attachment':
      return { header: { type: 'attachment', filename: item.name }, payload: Buffer.from(item.bytes) }
    case 'session':
    case 'sessions':
      return toJsonItem(item.kind, toSession(item, now))
    case 'client_report': {
      const { reason, quantity } = item
      return toJsonItem('client_report', { discarded_events: [{ reason, category: 'error', quantity }] })
    }
    case 'broken':
      return { header: { type: 'event' }, payload: Buffer.from(`{"message": ${item.text}`) }
    case 'transaction':
  }
  return toJsonItem('transaction', toTransaction(item.id, origin))
}

/** A trace of one page, with a query; every fifth one is invalid. */
function toTransaction(id: number, { ownId, now }: Origin): object {
  const at = now / 1_000
  const trace = { trace_id: testId(`trace ${id % 4}`), span_id: testId(`span ${id}`).slice(0, 16) }
  const query = { ...trace, span_id: testId(`query ${id}`).slice(0, 16), parent_span_id: trace.span_id }
  return {
    event_id: ownId,
    type: 'transaction',
    transaction: `GET /page/${id % 3}`,
    start_timestamp: at - 1,
    timestamp: at - 0.5,
    contexts: id % 5 === 0 ? {} : { trace: { ...trace, op: 'http.server', status: 'ok' } },
    spans: [{ ...query, op: 'db', description: 'SELECT 1', start_timestamp: at - 0.9, timestamp: at - 0.8 }],
  }
}

type Fields = Extract<WorkItem, { kind: 'event' }>['fields']

function toEvent(fields: Fields, { ownId, now }: Origin): object {
  const { id: _, type, value, frame, user, trace, isHandled, ageMs, ...rest } = fields
  return {
    ...rest,
    event_id: ownId,
    timestamp: (now - ageMs) / 1_000,
    user: user === undefined ? undefined : { id: String(user), email: `u${user}@example.com` },
    contexts:
      trace === undefined
        ? {}
        : { trace: { trace_id: testId(`trace ${trace}`), span_id: '00f067aa0ba902b7' } },
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'generic', handled: isHandled },
          stacktrace: { frames: [{ function: frame, filename: 'app.js', in_app: true, lineno: 7 }] },
        },
      ],
    },
  }
}

function toSession(item: Extract<WorkItem, { kind: 'session' | 'sessions' }>, now: number): object {
  const { release, environment } = item
  const attrs = { release, environment }
  const did = item.user === undefined ? undefined : `user ${item.user}`
  if (item.kind === 'session') {
    const { sid, seq, state: status, errors, ageMs } = item
    const started = new Date(now - ageMs).toISOString()
    return { sid: testId(`session ${sid}`), did, seq, init: seq === 0, started, status, errors, attrs }
  }
  const [exited, errored, unhandled, abnormal, crashed] = item.counts
  const started = new Date(now).toISOString()
  return { aggregates: [{ started, did, exited, errored, unhandled, abnormal, crashed }], attrs }
}
