import { foldCounterDeltas } from '#server/store/ingest/counter-fold.ts'
import { createTagWriter } from '#server/store/ingest/tag-writer.ts'
import type { Store } from '#server/store/store.ts'

/** Counts everything that waits in deltas. Call inside a transaction of the store's writer. */
export function foldAllDeltas(store: Store): void {
  const writer = createTagWriter(store)
  while (!foldCounterDeltas(writer).isWhole);
}
