import type { Connection } from '#server/store/engine/connection.ts'

/**
 * Differences between the figures of upstreams and the rows of the outbox, one sentence each; empty if
 * consistent. Every envelope ever accepted for an upstream is delivered, dropped, rejected, or queued. Reads
 * the whole outbox, but no body. Citus joins `upstreams` with sums only.
 */
export function findWrongUpstreamSums(connection: Connection): string[] {
  const rows = connection
    .prepare(
      `WITH queues AS MATERIALIZED (
         SELECT project_id, upstream_id,
           count(*) FILTER (WHERE failed_at IS NULL) AS waiting_rows,
           coalesce(sum(byte_count) FILTER (WHERE failed_at IS NULL), 0) AS waiting_row_bytes,
           count(*) FILTER (WHERE failed_at IS NOT NULL) AS failed_rows,
           coalesce(sum(byte_count) FILTER (WHERE failed_at IS NOT NULL), 0) AS failed_row_bytes
         FROM outbox GROUP BY project_id, upstream_id)
       SELECT u.id, u.last_number, u.delivered_count, u.dropped_count,
         u.waiting_count, u.waiting_bytes, u.failed_count, u.failed_bytes,
         coalesce(q.waiting_rows, 0) AS waiting_rows, coalesce(q.waiting_row_bytes, 0) AS waiting_row_bytes,
         coalesce(q.failed_rows, 0) AS failed_rows, coalesce(q.failed_row_bytes, 0) AS failed_row_bytes
       FROM upstreams u LEFT JOIN queues q ON q.project_id = u.project_id AND q.upstream_id = u.id`,
    )
    .all()
  const wrong = rows.flatMap((row) => findWrongSums((name) => Number(row[name]), String(row['id'])))
  const strays = connection
    .prepare(
      `SELECT count(*) AS n FROM outbox o WHERE NOT EXISTS (
         SELECT 1 FROM upstreams u WHERE u.project_id = o.project_id AND u.id = o.upstream_id)`,
    )
    .get()
  const strayCount = Number(strays?.['n'])
  if (strayCount > 0) wrong.push(`${strayCount} envelopes wait for no upstream`)
  return [...wrong, ...findWrongBlocks(connection)]
}

/** Blocks that are missing, and blocks without envelopes. */
function findWrongBlocks(connection: Connection): string[] {
  const lost = connection
    .prepare(
      `SELECT count(*) AS n FROM outbox o LEFT JOIN outbox_blocks b
         ON b.project_id = o.project_id AND b.upstream_id = o.upstream_id AND b.number = o.block_number
       WHERE o.block_number IS NOT NULL
         AND (b.number IS NULL OR o.block_offset + o.byte_count > b.raw_bytes OR o.number > b.last_number)`,
    )
    .get()
  const idle = connection
    .prepare(
      `SELECT count(*) AS n FROM outbox_blocks b WHERE NOT EXISTS (
         SELECT 1 FROM outbox o WHERE o.project_id = b.project_id AND o.upstream_id = b.upstream_id
           AND o.number BETWEEN b.number AND b.last_number AND o.block_number = b.number)`,
    )
    .get()
  const counts: [count: number, what: string][] = [
    [Number(lost?.['n']), 'queued envelopes are in no block'],
    [Number(idle?.['n']), 'blocks of bytes belong to no waiting envelope'],
  ]
  return counts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`))
}

function findWrongSums(read: (name: string) => number, id: string): string[] {
  const [waiting, failed] = [read('waiting_count'), read('failed_count')]
  const taken = read('last_number')
  const accounted = read('delivered_count') + read('dropped_count') + waiting + failed
  const compared: [what: string, counted: number, there: number][] = [
    ['waiting envelopes', waiting, read('waiting_rows')],
    ['waiting bytes', read('waiting_bytes'), read('waiting_row_bytes')],
    ['rejected envelopes', failed, read('failed_rows')],
    ['rejected bytes', read('failed_bytes'), read('failed_row_bytes')],
    ['envelopes delivered, discarded, rejected and queued', accounted, taken],
  ]
  return compared.flatMap(([what, counted, there]) =>
    counted === there ? [] : `upstream ${id} counts ${counted} ${what}, there are ${there}`,
  )
}
