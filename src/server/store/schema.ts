import type { Transaction } from 'kysely'
import type { AccountTables } from './account-schema.ts'
import type { ArtifactTables } from './artifact-schema.ts'
import type { EventTables } from './event-schema.ts'
import type { IssueTables } from './issue-schema.ts'
import type { ProjectTables } from './project-schema.ts'
import type { ReleaseTables } from './release-schema.ts'
import type { UpstreamTables } from './upstream-schema.ts'

/**
 * The tables as Kysely sees them, by subject; the columns' meaning stands in `migrations/`.
 *
 * Booleans are 0 or 1, instants and hours are Unix milliseconds, ids of events and traces and group hashes are 16
 * bytes. `project_id` leads every primary key.
 */
export interface Database
  extends
    AccountTables,
    ArtifactTables,
    EventTables,
    IssueTables,
    ProjectTables,
    ReleaseTables,
    UpstreamTables {}

/** A transaction of `store.writer`. */
export type WriterTransaction = Transaction<Database>
