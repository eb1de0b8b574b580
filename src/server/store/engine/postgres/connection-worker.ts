import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import type {
  ConnectionData,
  ConnectionReply,
  ConnectionRequest,
  ConnectionStatement,
  QueryResult,
} from './connection-message.ts'
import { PostgresError } from './error.ts'
import { silenceCode, SilentServerError } from './liveness/server-probe.ts'
import type { ServerWatch } from './liveness/server-watch.ts'

/** Milliseconds without an answer after which a connection is closed. */
const answerMs = limits.postgresAnswerMs

interface Thread {
  worker: Worker
  port: MessagePort
  isAnswered: Int32Array
}

interface Pending {
  resolve: (results: QueryResult[]) => void
  reject: (error: Error) => void
}

/** Another request of the connection was sent first: the transaction may be begun again. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

/**
 * A thread with a connection; the caller waits for its answer. If the server does not answer, the thread
 * gives up after `limits.postgresProbeAfterMs` and `limits.postgresProbeMs`, and later requests fail
 * immediately, see `ServerWatch`.
 */
export class ConnectionWorker {
  private readonly url: string
  private readonly watch: ServerWatch
  private thread: Thread | undefined
  isOpen = true
  isTransaction = false
  /** See `ConnectionState`. */
  serverRun: string | undefined
  /** Number of answered requests. */
  requestCount = 0
  /** Number of the last request. */
  private number = 0
  /** The request of `requestLater`. */
  private pending: Pending | undefined

  constructor(url: string, watch: ServerWatch) {
    this.url = url
    this.watch = watch
    this.thread = this.start()
  }

  /**
   * Runs statements in one round trip. Returns their results, or throws the first error as a `PostgresError`.
   * A connection that does not answer is closed; the next request opens another one.
   */
  request(statements: ConnectionStatement[]): QueryResult[] {
    this.interrupt()
    return this.accept(this.receive(this.send(statements)))
  }

  /**
   * The same without blocking this thread, for statements that begin a transaction. A request that is made
   * meanwhile takes precedence: it waits for the answer and ends that transaction, and this call is rejected
   * with an `InterruptedError`.
   */
  requestLater(statements: ConnectionStatement[]): Promise<QueryResult[]> {
    this.interrupt()
    const { port } = this.send(statements)
    port.ref()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(), answerMs)
      const end = (step: () => void) => {
        clearTimeout(timer)
        port.unref()
        step()
      }
      this.pending = {
        resolve: (results) => end(() => resolve(results)),
        reject: (error) => end(() => reject(error)),
      }
    })
  }

  close(): void {
    this.isOpen = false
    const { thread, pending } = this
    if (thread === undefined || pending !== undefined) {
      this.end(new PostgresError('the connection was closed before it answered', 'CLOSED'))
      return
    }
    this.thread = undefined
    this.isTransaction = false
    endConnection(thread)
  }

  private send(statements: ConnectionStatement[]): Thread {
    if (!this.isOpen) throw new PostgresError('the connection is closed', 'CLOSED')
    this.watch.requireAnswers()
    const thread = (this.thread ??= this.start())
    this.number = (this.number + 1) % 2 ** 31
    const request: ConnectionRequest = { number: this.number, statements, isContinued: this.isTransaction }
    const { port } = thread
    port.postMessage(request)
    return thread
  }

  /** Blocks until the answer has arrived. */
  private receive({ port, isAnswered }: Thread): ConnectionReply {
    const sentAt = performance.now()
    // An answer that has already been delivered as an event is complete before its number is set.
    for (let last: number; (last = Atomics.load(isAnswered, 0)) !== this.number;) {
      const restMs = answerMs - (performance.now() - sentAt)
      if (restMs <= 0 || Atomics.wait(isAnswered, 0, last, restMs) === 'timed-out') throw this.giveUp()
    }
    // Only the thread of this connection writes to the port.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return receiveMessageOnPort(port)?.message as ConnectionReply
  }

  private accept(reply: ConnectionReply): QueryResult[] {
    this.note(reply)
    if (reply.ok) return reply.results
    throw this.toError(reply)
  }

  private note(reply: ConnectionReply): void {
    this.isTransaction = reply.isTransaction
    this.serverRun = reply.serverRun
    this.requestCount += 1
  }

  private interrupt(): void {
    const { pending, thread } = this
    if (pending === undefined || thread === undefined) return
    this.note(this.receive(thread))
    this.pending = undefined
    pending.reject(new InterruptedError())
    if (this.isTransaction) this.accept(this.receive(this.send([{ sql: 'ROLLBACK' }])))
  }

  private settle(reply: ConnectionReply): void {
    const { pending } = this
    this.pending = undefined
    this.note(reply)
    if (reply.ok) pending?.resolve(reply.results)
    else pending?.reject(this.toError(reply))
  }

  private giveUp(): PostgresError {
    const error = new PostgresError(`no answer within ${answerMs} ms`, 'ETIMEDOUT')
    this.end(error)
    return error
  }

  private end(reason: PostgresError): void {
    const { pending } = this
    this.pending = undefined
    void this.thread?.worker.terminate()
    this.thread = undefined
    this.isTransaction = false
    pending?.reject(reason)
  }

  private toError({ message, code }: Extract<ConnectionReply, { ok: false }>): PostgresError {
    if (code !== silenceCode) return new PostgresError(message, code ?? 'UNKNOWN')
    const silence = new SilentServerError(message)
    this.watch.noteSilence(silence)
    return silence
  }

  private start(): Thread {
    const thread = startThread(this.url)
    // Awaited answers are received from the port before they become events.
    thread.port.on('message', (reply: ConnectionReply) => this.settle(reply))
    thread.port.unref()
    return thread
  }
}

/** Defined by the build for a host without sources (vite.config.ts); undefined when run from source. */
declare const __CULVERT_CONNECTION_THREAD__: string | undefined

/** A thread whose connection was closed. The next connection uses it: a new thread takes 70 ms to load. */
let idle: Worker | undefined

function startThread(url: string): Thread {
  const { port1, port2 } = new MessageChannel()
  const signal = new SharedArrayBuffer(4)
  const data: ConnectionData = { url, port: port2, signal }
  const worker = idle ?? startWorker()
  idle = undefined
  worker.postMessage(data, [port2])
  return { worker, port: port1, isAnswered: new Int32Array(signal) }
}

function startWorker(): Worker {
  const bundled =
    typeof __CULVERT_CONNECTION_THREAD__ === 'undefined' ? undefined : __CULVERT_CONNECTION_THREAD__
  const worker = new Worker(bundled ?? new URL('connection-thread.ts', import.meta.url), {
    eval: bundled !== undefined,
    // The options of the process may apply only to its own source.
    execArgv: [],
  })
  worker.unref()
  // A thread that has ended never answers.
  worker.once('exit', () => {
    if (idle === worker) idle = undefined
  })
  return worker
}

/** The thread cuts off the connection when its port is closed. One thread is kept. */
function endConnection({ worker, port }: Thread): void {
  port.close()
  if (idle === undefined) idle = worker
  else void worker.terminate()
}
