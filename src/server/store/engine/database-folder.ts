import { dirname } from 'node:path'
import { isPostgresUrl } from './postgres/url.ts'

/** The folder of a database file; undefined for a database on a server. */
export function findDatabaseFolder(path: string): string | undefined {
  return isPostgresUrl(path) ? undefined : dirname(path)
}
