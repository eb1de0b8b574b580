import type { Committer } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'

/** Commits each event as an envelope of its own, all at the same time. */
export async function commitEvents(committer: Committer, events: readonly EventRecord[]): Promise<void> {
  await Promise.all(
    events.map((event) => committer.commit({ events: [event], outcomes: [], deadLetters: [] })),
  )
}
