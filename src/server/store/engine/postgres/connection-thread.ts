/** The thread of a `SyncConnection`: it runs each statement while the other thread waits. */
import { workerData } from 'node:worker_threads'
import { Client } from 'pg'
import type { ConnectionData, ConnectionReply, ConnectionRequest, QueryResult } from './connection-message.ts'
import { clientConfig } from './pool.ts'

// The thread is started by SyncConnection only.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { url, port, signal } = workerData as ConnectionData
const isAnswered = new Int32Array(signal)
const names = new Map<string, string>()
let client: Client | undefined

port.on('message', (request: ConnectionRequest) => void answer(request))

async function answer(request: ConnectionRequest): Promise<void> {
  port.postMessage(await run(request))
  Atomics.store(isAnswered, 0, 1)
  Atomics.notify(isAnswered, 0)
}

async function run(request: ConnectionRequest): Promise<ConnectionReply> {
  try {
    client ??= await connect()
    const result = await query(client, request)
    return { ok: true, result, isTransaction: isInTransaction() }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, message, code, isTransaction: isInTransaction() }
  }
}

async function connect(): Promise<Client> {
  const opened = new Client(clientConfig(url))
  // A connection that is lost is opened again by the next statement. This one fails.
  const forget = () => {
    if (client === opened) client = undefined
  }
  opened.on('error', forget).on('end', forget)
  await opened.connect()
  names.clear()
  return opened
}

async function query(on: Client, { sql, values, isRare }: ConnectionRequest): Promise<QueryResult> {
  const answered =
    values === undefined
      ? await on.query(sql)
      : await on.query({ text: sql, values, ...(isRare !== true && { name: nameOf(sql) }) })
  // Several statements in one text have several results.
  const last = Array.isArray(answered) ? answered.at(-1) : answered
  return { rows: (last?.rows ?? []).map(copyBytes), rowCount: last?.rowCount ?? 0 }
}

function nameOf(sql: string): string {
  const name = names.get(sql) ?? `s${names.size}`
  names.set(sql, name)
  return name
}

/** Bytes as arrays of their own: a view would be sent with the whole buffer that it is a part of. */
function copyBytes(row: Record<string, unknown>): QueryResult['rows'][number] {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Uint8Array) row[name] = new Uint8Array(value)
  }
  // The driver's types of the columns that the store has.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return row as QueryResult['rows'][number]
}

function isInTransaction(): boolean {
  return client !== undefined && client.getTransactionStatus() !== 'I'
}
