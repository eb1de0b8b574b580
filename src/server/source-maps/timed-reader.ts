import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import type { FileAnswer, MapQuestion, MapReader } from './map-question.ts'

/**
 * Asks a reader and waits no longer than it is told. Undefined when the time is over, the reader failed, or
 * it is asked too much already.
 */
export type TimedReader = (question: MapQuestion, waitMs: number) => Promise<FileAnswer[] | undefined>

interface TimedReaderOptions {
  reader: MapReader
  log: { warn: (fields: object, message: string) => void }
  /** Called with each answer, also one that came too late: it is worth remembering. */
  onAnswer: (question: MapQuestion, answers: readonly FileAnswer[]) => void
}

/** Bounds how long, and of how many at a time, a reader is asked. */
export function createTimedReader({ reader, log, onAnswer }: TimedReaderOptions): TimedReader {
  let questionCount = 0

  async function ask(question: MapQuestion): Promise<FileAnswer[] | undefined> {
    questionCount += 1
    try {
      const answers = await reader.ask(question)
      onAnswer(question, answers)
      return answers
    } catch (err) {
      log.warn({ err, projectId: question.projectId }, 'source maps could not be read')
      return undefined
    } finally {
      questionCount -= 1
    }
  }

  return async (question, waitMs) => {
    if (questionCount >= limits.sourceMapQuestions) return undefined
    const limit = new AbortController()
    const isOver = sleep(waitMs, undefined, { signal: limit.signal, ref: false })
    // Given up with the answer.
    isOver.catch(() => undefined)
    const answers = await Promise.race([ask(question), isOver])
    limit.abort()
    return answers
  }
}
