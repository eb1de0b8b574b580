import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** True when the stamp file says that its folder was made from exactly these inputs. */
export function hasStamp(path, fingerprint) {
  return readText(path) === fingerprint
}

/** Says what a folder was made from. To be written last: a folder half made carries no stamp. */
export function writeStamp(path, fingerprint) {
  writeFileSync(path, fingerprint)
}

/** Takes the stamp away, before its folder is made anew. */
export function removeStamp(path) {
  rmSync(path, { force: true })
}

/** SHA-256 of the given texts, in order. */
export function fingerprintOf(texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex')
}

/** The content of a file, or the empty string where there is none. */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Paths of all files below a folder, sorted, hidden ones apart; none where the folder does not exist. */
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
