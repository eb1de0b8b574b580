import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** How many frames of the log are pages of a table or an index. */
export interface LoggedPages {
  name: string
  frameCount: number
  pageCount: number
}

/** Bytes of the log's header, and of each frame's (https://www.sqlite.org/fileformat2.html#walformat). */
const headerBytes = 32
const frameHeaderBytes = 24

/**
 * Counts, by table and index, the pages in the write-ahead log of a database, most frames first. The log must
 * contain everything to be counted: no checkpoint may have restarted it.
 */
export function readLoggedPages(path: string): LoggedPages[] {
  const sqlite = new DatabaseSync(path, { readOnly: true })
  const rows = sqlite.prepare('SELECT name, pageno FROM dbstat').all()
  sqlite.close()
  const names = new Map(rows.map((row) => [Number(row['pageno']), String(row['name'])]))
  const pages = new Map<string, LoggedPages>()
  for (const [page, frameCount] of countFrames(`${path}-wal`)) {
    const name = names.get(page) ?? 'free, or where pages are'
    const known = pages.get(name) ?? { name, frameCount: 0, pageCount: 0 }
    pages.set(name, {
      name,
      frameCount: known.frameCount + frameCount,
      pageCount: known.pageCount + 1,
    })
  }
  return [...pages.values()].toSorted((one, other) => other.frameCount - one.frameCount)
}

/** Counts the frames of a log by page. */
function countFrames(path: string): Map<number, number> {
  const file = openSync(path, 'r')
  const header = Buffer.alloc(headerBytes)
  readSync(file, header, 0, headerBytes, 0)
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8)
  const salt = header.readUInt32BE(16)
  const counts = new Map<number, number>()
  const frame = Buffer.alloc(frameHeaderBytes)
  const { size } = statSync(path)
  for (let at = headerBytes; at + frameBytes <= size; at += frameBytes) {
    readSync(file, frame, 0, frameHeaderBytes, at)
    // Later frames are from before the log restarted.
    if (frame.readUInt32BE(8) !== salt) break
    const page = frame.readUInt32BE(0)
    counts.set(page, (counts.get(page) ?? 0) + 1)
  }
  closeSync(file)
  return counts
}
