import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import { hexOf } from '#server/store/engine/per-engine.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The ids of a root span, in lower-case hex digits. */
export interface RootReference {
  traceId: string
  spanId: string
}

/** A stored root span, and the name that its figures have. */
export interface NamedRoot extends RootReference {
  name: string
}

/**
 * The names of root spans of a project, as far as their segments are stored and among
 * `limits.namedSegmentsSearched` of their traces. One statement, by index.
 */
export async function findRootNames(
  db: Db,
  { projectId, roots }: { projectId: number; roots: readonly RootReference[] },
): Promise<NamedRoot[]> {
  const segments = db
    .selectFrom('trace_segments')
    .select(['trace_id', 'span_id', 'name', 'is_root'])
    .where('project_id', '=', projectId)
    .where(
      'trace_id',
      'in',
      roots.map(({ traceId }) => toIdBytes(traceId)),
    )
    .limit(limits.namedSegmentsSearched)
  return db
    .selectFrom(segments.as('s'))
    .select((of) => [hexOf(of.ref('s.trace_id')).as('traceId'), hexOf(of.ref('s.span_id')).as('spanId')])
    .select('s.name')
    .where(
      's.span_id',
      'in',
      roots.map(({ spanId }) => Buffer.from(spanId, 'hex')),
    )
    .where('s.is_root', '=', 1)
    .execute()
}
