/** The database drivers, and the only folders of `src` that import them. */
export const databaseDrivers = [
  { driver: 'node:sqlite', folders: ['server/store/engine/sqlite', 'server/data-dir'] },
  { driver: 'pg', folders: ['server/store/engine/postgres'] },
] as const
