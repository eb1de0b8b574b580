import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '#server/errors.ts'

/**
 * Creates a missing file of a data directory with the owner of the folder: the command may run as root, and
 * the server as another user. SQLite gives the files next to it the owner of the database.
 */
export function createOwnFile(path: string, mode: number): void {
  if (existsSync(path)) return
  closeSync(openSync(path, 'a', mode))
  giveOwner(path, dirname(path))
}

/** Gives a file the owner of another file or of a folder, if this user may do so. */
export function giveOwner(path: string, from: string): void {
  const { uid, gid } = statSync(from)
  const own = statSync(path)
  if (own.uid === uid && own.gid === gid) return
  try {
    chownSync(path, uid, gid)
  } catch {
    // Only root can change the owner. Otherwise the server runs as the user of this command.
  }
}

/** The first file of a data directory that this user cannot read and write; undefined if there is none. */
export function findForeignFile(dataDir: string): string | undefined {
  return listOwnFiles(dataDir).find((path) => {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
      return !statSync(path).isFile()
    } catch (error) {
      return errorCode(error) !== 'ENOENT'
    }
  })
}

/** SQLite's errors do not name the file. */
function listOwnFiles(dataDir: string): string[] {
  try {
    const names = readdirSync(dataDir).filter((name) =>
      /^culvert\.(?:lock|db)(?:-wal|-shm|-journal)?$/.test(name),
    )
    return names.map((name) => join(dataDir, name))
  } catch {
    return []
  }
}
