import type { Connection } from '#server/store/engine/connection.ts'

/** How large the database is, and how much of it is in use. */
export interface Pages {
  fileBytes: number
  /** Without pages that are free. */
  usedBytes: number
  pageCount: number
  freePages: number
}

/** Reads the counters of pages. Takes microseconds. */
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
