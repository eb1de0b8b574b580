import type { ExpiryStatements } from './statements.ts'

/** The columns of an event that retention needs. */
export interface WalkedEvent {
  eventId: Uint8Array
  issueId: number
  /** The part of a merged issue that the event belongs to; absent for other issues. */
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

/** The block after a position and before an id, without its data. Undefined if there is none. */
export function readNextBlock(
  statements: ExpiryStatements,
  { projectId, position }: { projectId: number; position: number },
  before: number,
): WalkedBlock | undefined {
  const row = statements.nextBlock.get(projectId, position, before)
  if (row === undefined) return undefined
  const id = Number(row['id'])
  return {
    id,
    rawBytes: Number(row['raw_bytes']),
    createdAt: Number(row['created_at']),
    dataBytes: Number(row['data_bytes']),
    events: readEventsOfBlock(statements, projectId, id),
  }
}

/** The events of a block, also if the block itself was lost in a damaged database. */
export function readEventsOfBlock(
  statements: Pick<ExpiryStatements, 'eventsOfBlock'>,
  projectId: number,
  blockId: number,
): WalkedEvent[] {
  return statements.eventsOfBlock.all(projectId, blockId).map(toWalkedEvent)
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
