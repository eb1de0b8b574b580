import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** True if the folder of a stamp was built from exactly these inputs. */
export function hasStamp(path, fingerprint) {
  return readText(path) === fingerprint
}

/** Records a folder's inputs. Written last: an incomplete folder has no stamp. */
export function writeStamp(path, fingerprint) {
  writeFileSync(path, fingerprint)
}

/** Removes the stamp before its folder is rebuilt. */
export function removeStamp(path) {
  rmSync(path, { force: true })
}

/** SHA-256 of the given texts, in order. */
export function fingerprintOf(texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex')
}

/** The content of a file, or an empty string if it does not exist. */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Sorted paths of all files below a folder without hidden ones; empty if the folder does not exist. */
export function listFiles(folder) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries
    .filter((entry) => !entry.name.startsWith('.'))
    .flatMap((entry) =>
      entry.isDirectory() ? listFiles(join(folder, entry.name)) : [join(folder, entry.name)],
    )
    .toSorted()
}
