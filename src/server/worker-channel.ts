import type { MessagePort, Transferable, Worker } from 'node:worker_threads'

interface RequestMessage<Request> {
  number: number
  request: Request
}

type ReplyMessage<Reply, Notice> = { number: number; reply: Reply } | { notice: Notice }

/** Rejects requests to a worker that has ended. */
export class WorkerEndedError extends Error {}

/**
 * Requests to a worker thread, each with one reply, and notices from the worker that answer no request. When
 * the worker ends, the requests without a reply reject with a `WorkerEndedError`.
 */
export class WorkerChannel<Request, Reply, Notice = never> {
  private readonly worker: Worker
  private readonly pending = new Map<number, PromiseWithResolvers<Reply>>()
  private lastNumber = 0
  private hasEnded = false

  constructor(worker: Worker, onNotice?: (notice: Notice) => void) {
    this.worker = worker
    worker.on('message', (message: ReplyMessage<Reply, Notice>) => {
      if ('notice' in message) onNotice?.(message.notice)
      else this.settle(message.number, message.reply)
    })
    worker.on('exit', () => this.end())
  }

  /** Number of requests without a reply. */
  get pendingCount(): number {
    return this.pending.size
  }

  /** Throws when the request cannot be cloned; then the worker does not receive it. */
  request(request: Request, transfer: readonly Transferable[] = []): Promise<Reply> {
    if (this.hasEnded) return Promise.reject(new WorkerEndedError('the worker thread has ended'))
    this.lastNumber += 1
    const message: RequestMessage<Request> = { number: this.lastNumber, request }
    this.worker.postMessage(message, transfer)
    const pending = Promise.withResolvers<Reply>()
    this.pending.set(this.lastNumber, pending)
    return pending.promise
  }

  private settle(number: number, reply: Reply): void {
    this.pending.get(number)?.resolve(reply)
    this.pending.delete(number)
  }

  private end(): void {
    this.hasEnded = true
    for (const { reject } of this.pending.values())
      reject(new WorkerEndedError('the worker thread has ended'))
    this.pending.clear()
  }
}

/** The worker's end of a `WorkerChannel`. An error of `answer` ends the thread. */
export class WorkerServer<Request, Reply, Notice = never> {
  private readonly port: MessagePort

  constructor(port: MessagePort, answer: (request: Request) => Reply | Promise<Reply>) {
    this.port = port
    port.on('message', ({ number, request }: RequestMessage<Request>) => {
      void Promise.try(answer, request).then((reply) => this.post({ number, reply }))
    })
  }

  /** Sends a message that answers no request. */
  notify(notice: Notice): void {
    this.post({ notice })
  }

  private post(message: ReplyMessage<Reply, Notice>): void {
    this.port.postMessage(message, [])
  }
}
