/**
 * The thread that reads source maps. It has its own connection to the database file and its own heap, so that
 * large maps use neither the time nor the memory of the server.
 */
import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { createMapAnswers } from '#server/source-maps/map-answers.ts'
import { openReader } from '#server/store/engine/sqlite/connection.ts'
import { WorkerServer } from '#server/worker-channel.ts'

if (parentPort === null) throw new Error('the thread that reads maps is started by createThreadMapReader')
const { path, cacheBytes } = v.parse(v.object({ path: v.string(), cacheBytes: v.number() }), workerData)
const answers = createMapAnswers(openReader(path), cacheBytes)
void new WorkerServer(parentPort, answers)
