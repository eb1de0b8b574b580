import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import { readMemoryBytes, toMemoryBounds } from '#server/memory-bounds.ts'
import type { FileAnswer, MapQuestion, MapReader } from '#server/source-maps/map-question.ts'
import type { Store } from '#server/store/store.ts'

/** A question to the thread. */
export interface ThreadQuestion {
  number: number
  question: MapQuestion
}

/** What it says. */
export interface ThreadAnswer {
  number: number
  files: FileAnswer[]
}

interface Waiting {
  resolve: (files: FileAnswer[]) => void
  reject: (error: Error) => void
}

/** Told of a thread that failed. */
interface MapReaderLog {
  warn: (fields: object, message: string) => void
}

const mebibyte = 1024 * 1024

/**
 * Reads maps in a thread of its own, which begins with the first question and ends
 * `limits.sourceMapThreadIdleMs` after the last one. Should it fail, as by a map that takes more memory than
 * the thread has, what it was asked rejects, and the next question has a new one.
 */
export function createThreadMapReader({ path }: Pick<Store, 'path'>, log: MapReaderLog): MapReader {
  const { mapThreadBytes, mapCacheBytes } = toMemoryBounds(readMemoryBytes())
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastNumber = 0
  const waiting = new Map<number, Waiting>()

  function start(): Worker {
    const worker = new Worker(new URL('map-thread.ts', import.meta.url), {
      workerData: { path, cacheBytes: mapCacheBytes },
      resourceLimits: { maxOldGenerationSizeMb: Math.round(mapThreadBytes / mebibyte) },
    })
    worker.on('message', ({ number, files }: ThreadAnswer) => {
      waiting.get(number)?.resolve(files)
      waiting.delete(number)
      rest()
    })
    worker.on('error', (err: unknown) => log.warn({ err }, 'the thread that reads source maps has failed'))
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
      for (const { reject } of waiting.values()) reject(new Error('the thread that reads source maps ended'))
      waiting.clear()
    })
    // What it is asked is waited for with a limit; the thread itself keeps no process alive.
    worker.unref()
    return worker
  }

  function rest(): void {
    clearTimeout(idle)
    if (waiting.size === 0) idle = setTimeout(() => void end(), limits.sourceMapThreadIdleMs).unref()
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    await ending?.terminate()
  }

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        thread ??= start()
        clearTimeout(idle)
        lastNumber += 1
        waiting.set(lastNumber, { resolve, reject })
        const message: ThreadQuestion = { number: lastNumber, question }
        thread.postMessage(message, [])
      }),
    prepare() {
      thread ??= start()
      rest()
    },
    close: end,
  }
}
