/**
 * The source map thread. It has its own database connection and heap, so that large maps cost the server
 * neither time nor memory.
 */
import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { createMapAnswers } from '#server/source-maps/map-answers.ts'
import { openReaderConnection } from '#server/store/engine/open-reader.ts'
import { WorkerServer } from '#server/worker-channel.ts'

if (parentPort === null) throw new Error('the thread that reads maps is started by createThreadMapReader')
const { path, cacheBytes } = v.parse(v.object({ path: v.string(), cacheBytes: v.number() }), workerData)
const answers = createMapAnswers(openReaderConnection(path), cacheBytes)
void new WorkerServer(parentPort, answers)
