import { sql } from 'kysely'
import { perEngine } from '#server/store/engine/per-engine.ts'

/** SQL for 16 random bytes, different for each row. */
export const randomIdBytes = perEngine<Uint8Array>({
  sqlite: sql`randomblob(16)`,
  postgres: sql`uuid_send(gen_random_uuid())`,
})
