import type { Connection } from '#server/store/engine/connection.ts'
import { openReaderConnection } from '#server/store/engine/open-reader.ts'
import type { Store } from '#server/store/store.ts'
import { createMapAnswers, type MapAnswers } from './map-answers.ts'
import type { MapReader } from './map-question.ts'

/** Reads maps on the calling thread, for tools, tests and hosts with a single thread. */
export function createDirectMapReader({ path }: Pick<Store, 'path'>): MapReader {
  let open: { connection: Connection; answers: MapAnswers } | undefined
  return {
    ask(question) {
      if (open === undefined) {
        const connection = openReaderConnection(path)
        open = { connection, answers: createMapAnswers(connection) }
      }
      return Promise.resolve(open.answers(question))
    },
    prepare: () => undefined,
    close() {
      open?.connection.close()
      open = undefined
      return Promise.resolve()
    },
  }
}
