import type { ExpiryStatements } from './statements.ts'

/** The columns of an event that retention needs. */
export interface WalkedEvent {
  eventId: Uint8Array
  issueId: number
  /** The part of the issue that the event belongs to; absent unless others were merged into the issue. */
  partId?: number
  /** Byte offset in the decompressed block. */
  offset: number
  length: number
  /** Unix milliseconds. */
  receivedAt: number
}

/** A body block with its events. */
export interface WalkedBlock {
  id: number
  rawBytes: number
  createdAt: number
  /** The compressed size. */
  dataBytes: number
  /** In the order of their payloads, which is the order of arrival. */
  events: WalkedEvent[]
}

/**
 * The block after a position and before an id, without its data. Undefined if there is none. A block that was
 * lost in a damaged database has no bytes, and its events.
 */
export function readNextBlock(
  statements: ExpiryStatements,
  { projectId, position }: { projectId: number; position: number },
  before: number,
): WalkedBlock | undefined {
  const row = statements.nextBlock.get(projectId, position, before)
  const event = statements.nextEvent.get(projectId, position, row === undefined ? before : Number(row['id']))
  if (event === undefined && row === undefined) return undefined
  const id = Number(event?.['block_id'] ?? row?.['id'])
  const block = event === undefined ? row : undefined
  return {
    id,
    rawBytes: Number(block?.['raw_bytes'] ?? 0),
    createdAt: Number(block?.['created_at'] ?? 0),
    dataBytes: Number(block?.['data_bytes'] ?? 0),
    events: statements.eventsOfBlock.all(projectId, id).map(toWalkedEvent),
  }
}

function toWalkedEvent(row: Record<string, unknown>): WalkedEvent {
  return {
    eventId: toBytes(row['event_id']),
    issueId: Number(row['issue_id']),
    ...(typeof row['part_id'] === 'number' && { partId: row['part_id'] }),
    offset: Number(row['block_offset']),
    length: Number(row['block_length']),
    receivedAt: Number(row['received_at']),
  }
}

/** The value of a column with bytes. */
export function toBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError('the column holds no bytes')
  return value
}
