import type { UpstreamReference } from '#server/store/ingest/records.ts'
import type { Store } from '#server/store/store.ts'
import { dropOutboxHead } from './outbox.ts'
import { updateUpstream } from './upstreams.ts'

/**
 * Removes an upstream and counts its queued envelopes as dropped. Returns their number; undefined if there is
 * no such upstream. If the process ends meanwhile, the upstream remains paused, accepts no envelopes, and can
 * be removed again.
 */
export async function deleteUpstream(store: Store, upstream: UpstreamReference): Promise<number | undefined> {
  if (!(await updateUpstream(store, upstream, { isRetired: true, isPaused: true }))) return undefined
  const drop = { before: Number.POSITIVE_INFINITY, reason: 'upstream_removed' } as const
  const droppedCount = await dropOutboxHead(store, upstream, drop)
  await store.writer
    .deleteFrom('upstreams')
    .where('project_id', '=', upstream.projectId)
    .where('id', '=', upstream.upstreamId)
    .execute()
  // An envelope that arrives in between finds the upstream retired, or is already in the queue.
  return droppedCount + (await dropOutboxHead(store, upstream, drop))
}
