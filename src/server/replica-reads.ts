import { BoundedMap } from './bounded-map.ts'
import { limits } from './limits.ts'
import type { Store } from './store/store.ts'

/** The user of a read. */
export interface Reader {
  userId: string
  /** The `Cookie` header of the request. */
  cookie?: string | null
}

/**
 * Sends reads to the replica of an installation that has one, and those of a user who has just made a change
 * to the primary until the replica has that change.
 */
export interface ReplicaReads {
  /** Returns services whose `store.db` this user may read from: the same ones if there is no replica. */
  servicesFor<Reading extends { store: Store }>(services: Reading, reader: Reader): Promise<Reading>
  /**
   * Call after a user has made a change. Returns a `Set-Cookie` for other processes; undefined if there is no
   * replica. `userId` is absent before sign-in.
   */
  noteWrite(userId?: string): Promise<string | undefined>
}

/** The position in the write-ahead log after the last change of the browser's user. */
const cookieName = 'culvert_written'

/**
 * Time after which any replica in use has a change: one with a lag of `limits.replicaLagMs` is not used, and
 * its state may be one check old.
 */
const writtenMs = limits.replicaLagMs + 2 * limits.replicaCheckMs

/** Seconds for which a browser keeps a position. A replica that has it is used anyway. */
const cookieSeconds = 60

/** The last changes of a user. Times by the monotonic clock. */
interface Written {
  /** The position in the write-ahead log after the last change with a known position. */
  position: number
  positionUntil: number
  /** Until then, a change counts whose position could not be read. */
  unknownUntil: number
}

const neverWritten: Written = { position: 0, positionUntil: 0, unknownUntil: 0 }

/** Creates the routing of reads. Also stores the last change of each user in this process. */
export function createReplicaReads({ replica }: Pick<Store, 'replica'>): ReplicaReads {
  const written = new BoundedMap<string, Written>(limits.cachedViewers)
  const findWritten = (userId: string): Written => {
    const { position, positionUntil, unknownUntil } = written.get(userId) ?? neverWritten
    const isOver = performance.now() >= positionUntil
    return { position: isOver ? 0 : position, positionUntil, unknownUntil }
  }
  const findPosition = (userId: string) => {
    const { position, unknownUntil } = findWritten(userId)
    return performance.now() < unknownUntil ? unknownPosition : position
  }
  const notePosition = (userId: string, read: number | undefined) => {
    const known = findWritten(userId)
    const until = performance.now() + writtenMs
    if (read === undefined) written.set(userId, { ...known, unknownUntil: until })
    // Two simultaneous changes may read their positions in another order than they arrive here.
    else written.set(userId, { ...known, position: Math.max(known.position, read), positionUntil: until })
  }
  return {
    async servicesFor(services, { userId, cookie }) {
      if (replica === undefined) return services
      const position = Math.max(findPosition(userId), parseCookie(cookie))
      const { db } = replica
      if (position === 0) return { ...services, store: { ...services.store, db } }
      if (!(await replica.hasReplayed(position))) return services
      // Unless the user has written again meanwhile.
      if (findPosition(userId) <= position) written.delete(userId)
      return { ...services, store: { ...services.store, db } }
    },
    async noteWrite(userId) {
      if (replica === undefined) return undefined
      // The write has been committed: an error of this check must not make it fail.
      const read = await replica.readPosition().catch(() => undefined)
      if (userId !== undefined) notePosition(userId, read)
      const position = Math.max(read ?? unknownPosition, userId === undefined ? 0 : findPosition(userId))
      const seconds = position === unknownPosition ? Math.ceil(writtenMs / 1000) : cookieSeconds
      return `${cookieName}=${position}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
    },
  }
}

/** The position of a change whose position could not be read: no replica has it. */
const unknownPosition = Number.MAX_SAFE_INTEGER

/** The position in a `Cookie` header; 0 if there is none. A forged one sends the reads to the primary. */
function parseCookie(header: string | null | undefined): number {
  const [, digits] = /(?:^|;\s*)culvert_written=([0-9]{1,16})(?:;|$)/.exec(header ?? '') ?? []
  return Number(digits ?? 0)
}
