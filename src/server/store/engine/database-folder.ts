import { dirname } from 'node:path'
import { isPostgresUrl } from './postgres/url.ts'

/** The folder of a database file; undefined where another server has the database. */
export function findDatabaseFolder(path: string): string | undefined {
  return isPostgresUrl(path) ? undefined : dirname(path)
}
