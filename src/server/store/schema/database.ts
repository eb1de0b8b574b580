import type { Kysely, Transaction } from 'kysely'
import type { AccountTables } from './accounts.ts'
import type { AlertTables } from './alerts.ts'
import type { ArtifactTables } from './artifacts.ts'
import type { EventTables } from './events.ts'
import type { FigureTables } from './figures.ts'
import type { IssueTables } from './issues.ts'
import type { MonitorTables } from './monitors.ts'
import type { ProjectTables } from './projects.ts'
import type { ReleaseTables } from './releases.ts'
import type { TraceTables } from './traces.ts'
import type { UpstreamTables } from './upstreams.ts'

/**
 * The tables for Kysely, by subject; `migrations/` describes the columns.
 *
 * Booleans are 0 or 1, instants and hours are Unix milliseconds, ids of events and traces and group hashes
 * are 16 bytes. Every primary key begins with `project_id`.
 */
export interface Database
  extends
    AccountTables,
    AlertTables,
    ArtifactTables,
    EventTables,
    FigureTables,
    IssueTables,
    MonitorTables,
    ProjectTables,
    ReleaseTables,
    TraceTables,
    UpstreamTables {}

/** The query builder of the tables: `store.db`, `store.writer` or a transaction. */
export type Db = Kysely<Database>

/** A transaction of `store.writer`. */
export type Tx = Transaction<Database>
