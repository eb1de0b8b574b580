/**
 * The thread that reads source maps: its own connection to the database file, and memory of its own, so that
 * neither the time nor the memory that a map takes is anybody else's.
 */
import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { createMapAnswers } from '#server/source-maps/map-answers.ts'
import { openReader } from '#server/store/engine/sqlite/connection.ts'
import type { ThreadAnswer, ThreadQuestion } from './thread-map-reader.ts'

if (parentPort === null) throw new Error('the thread that reads maps is started by createThreadMapReader')
const port = parentPort
const { path, cacheBytes } = v.parse(v.object({ path: v.string(), cacheBytes: v.number() }), workerData)
const answers = createMapAnswers(openReader(path), cacheBytes)

port.on('message', ({ number, question }: ThreadQuestion) => {
  const answer: ThreadAnswer = { number, files: answers(question) }
  port.postMessage(answer)
})
