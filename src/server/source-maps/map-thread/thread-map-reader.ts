import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import { readMemoryBytes, toMemoryBounds } from '#server/memory-bounds.ts'
import type { FileAnswer, MapQuestion, MapReader } from '#server/source-maps/map-question.ts'
import type { Store } from '#server/store/store.ts'
import { WorkerChannel } from '#server/worker-channel.ts'

interface MapReaderLog {
  warn: (fields: object, message: string) => void
}

interface MapThread {
  worker: Worker
  channel: WorkerChannel<MapQuestion, FileAnswer[]>
}

const mebibyte = 1024 * 1024

/**
 * Reads maps in a worker thread. It starts with the first question and ends `limits.sourceMapThreadIdleMs`
 * after the last answer. If it fails, for example on a map that exceeds its memory, open questions reject and
 * the next question starts another thread.
 */
export function createThreadMapReader({ path }: Pick<Store, 'path'>, log: MapReaderLog): MapReader {
  const { mapThreadBytes, mapCacheBytes } = toMemoryBounds(readMemoryBytes())
  let thread: MapThread | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): MapThread {
    const worker = new Worker(new URL('map-thread.ts', import.meta.url), {
      workerData: { path, cacheBytes: mapCacheBytes },
      resourceLimits: { maxOldGenerationSizeMb: Math.round(mapThreadBytes / mebibyte) },
    })
    worker.on('error', (err: unknown) => log.warn({ err }, 'the thread that reads source maps has failed'))
    worker.on('exit', () => {
      if (thread?.worker === worker) thread = undefined
    })
    // Callers limit how long they wait; the thread does not keep the process alive.
    worker.unref()
    return { worker, channel: new WorkerChannel(worker) }
  }

  function endWhenIdle(): void {
    clearTimeout(idle)
    if (thread?.channel.pendingCount === 0)
      idle = setTimeout(() => void end(), limits.sourceMapThreadIdleMs).unref()
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    await ending?.worker.terminate()
  }

  return {
    async ask(question) {
      thread ??= start()
      clearTimeout(idle)
      try {
        return await thread.channel.request(question)
      } finally {
        endWhenIdle()
      }
    },
    prepare() {
      thread ??= start()
      endWhenIdle()
    },
    close: end,
  }
}
