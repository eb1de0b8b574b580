import type { Connection } from '#server/store/engine/connection.ts'

/** The size of the database, and how much of it is in use. */
export interface Pages {
  fileBytes: number
  /** Without free pages. */
  usedBytes: number
  pageCount: number
  freePages: number
}

/** Reads the page counters. Takes microseconds. */
export function readPages(sqlite: Connection): Pages {
  const read = (name: string) => Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name])
  const pageBytes = read('page_size')
  const pageCount = read('page_count')
  const freePages = read('freelist_count')
  return {
    fileBytes: pageCount * pageBytes,
    usedBytes: (pageCount - freePages) * pageBytes,
    pageCount,
    freePages,
  }
}
