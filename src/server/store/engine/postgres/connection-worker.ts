import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type {
  ConnectionData,
  ConnectionReply,
  ConnectionRequest,
  ConnectionStatement,
  QueryResult,
} from './connection-message.ts'
import { PostgresError } from './error.ts'

/** Milliseconds after which a connection without an answer is given up. No statement takes as long. */
const answerMs = 30_000

interface Thread {
  worker: Worker
  port: MessagePort
  isAnswered: Int32Array
}

/** A thread with a connection; the caller waits until it has answered. */
export class ConnectionWorker {
  private readonly url: string
  private thread: Thread | undefined
  isOpen = true
  isTransaction = false
  /** See `ConnectionState`. */
  serverRun: string | undefined
  /** Requests that have been answered. */
  requestCount = 0

  constructor(url: string) {
    this.url = url
    this.thread = startThread(url)
  }

  /**
   * Runs statements in one round trip. Returns their results, or throws the first error as a `PostgresError`.
   * A connection that does not answer is given up; the next request opens another one.
   */
  request(statements: ConnectionStatement[]): QueryResult[] {
    if (!this.isOpen) throw new PostgresError('the connection is closed', 'CLOSED')
    const { port, isAnswered } = (this.thread ??= startThread(this.url))
    const request: ConnectionRequest = { statements, isContinued: this.isTransaction }
    Atomics.store(isAnswered, 0, 0)
    port.postMessage(request)
    const sentAt = performance.now()
    // The notification of the answer before can come late: only the value says that this one is there.
    while (Atomics.load(isAnswered, 0) === 0) {
      const restMs = answerMs - (performance.now() - sentAt)
      if (restMs <= 0 || Atomics.wait(isAnswered, 0, 0, restMs) === 'timed-out') {
        this.end()
        throw new PostgresError(`no answer within ${answerMs} ms`, 'ETIMEDOUT')
      }
    }
    // Only the thread of this connection writes to the port.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const reply = receiveMessageOnPort(port)?.message as ConnectionReply
    this.isTransaction = reply.isTransaction
    this.serverRun = reply.serverRun
    this.requestCount += 1
    if (reply.ok) return reply.results
    throw new PostgresError(reply.message, reply.code ?? 'UNKNOWN')
  }

  close(): void {
    this.isOpen = false
    this.end()
  }

  private end(): void {
    void this.thread?.worker.terminate()
    this.thread = undefined
    this.isTransaction = false
  }
}

/** Written by the build for a host without sources (vite.config.ts); undeclared when run from source. */
declare const __CULVERT_CONNECTION_THREAD__: string | undefined

function startThread(url: string): Thread {
  const { port1, port2 } = new MessageChannel()
  const signal = new SharedArrayBuffer(4)
  const data: ConnectionData = { url, port: port2, signal }
  const bundled =
    typeof __CULVERT_CONNECTION_THREAD__ === 'undefined' ? undefined : __CULVERT_CONNECTION_THREAD__
  const worker = new Worker(bundled ?? new URL('connection-thread.ts', import.meta.url), {
    eval: bundled !== undefined,
    workerData: data,
    // Those of the process may be for its own source.
    execArgv: [],
    transferList: [port2],
  })
  worker.unref()
  return { worker, port: port1, isAnswered: new Int32Array(signal) }
}
