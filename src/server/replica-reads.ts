import { BoundedMap } from './bounded-map.ts'
import { limits } from './limits.ts'
import type { Store } from './store/store.ts'

/** Whose read it is. */
export interface Reader {
  userId: string
  /** The `Cookie` header of the request. */
  cookie?: string | null
}

/**
 * Sends reads to the replica of an installation that has one, and those of a user who has just written to the
 * primary until the replica has what was written.
 */
export interface ReplicaReads {
  /** Returns services whose `store.db` this user may read from: the same ones where there is no replica. */
  servicesFor<Reading extends { store: Store }>(services: Reading, reader: Reader): Promise<Reading>
  /**
   * Call after a user has changed something. Returns a `Set-Cookie` that other processes read; undefined
   * where there is no replica. `userId` is absent before sign-in.
   */
  noteWrite(userId?: string): Promise<string | undefined>
}

/** The position in the write-ahead log behind the last change of the browser's user. */
const cookieName = 'culvert_written'

/** Seconds for which the cookie lasts: a replica that is further behind is not used. */
const cookieSeconds = 60

/** Creates the routing of reads. Remembers the last change of each user in this process, too. */
export function createReplicaReads({ replica }: Pick<Store, 'replica'>): ReplicaReads {
  const written = new BoundedMap<string, number>(limits.rememberedViewers)
  return {
    async servicesFor(services, { userId, cookie }) {
      if (replica === undefined) return services
      const position = Math.max(written.get(userId) ?? 0, parseCookie(cookie))
      const { db } = replica
      if (position === 0) return { ...services, store: { ...services.store, db } }
      if (!(await replica.hasReplayed(position))) return services
      // Unless the user has written again meanwhile.
      if ((written.get(userId) ?? 0) <= position) written.delete(userId)
      return { ...services, store: { ...services.store, db } }
    },
    async noteWrite(userId) {
      if (replica === undefined) return undefined
      // The write is committed: an error of this check must not make it fail.
      const position = await replica.readPosition().catch(() => Number.MAX_SAFE_INTEGER)
      if (userId !== undefined) written.set(userId, position)
      return `${cookieName}=${position}; Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax`
    },
  }
}

/** The position in a `Cookie` header; 0 where there is none. A forged one sends the reads to the primary. */
function parseCookie(header: string | null | undefined): number {
  const [, digits] = /(?:^|;\s*)culvert_written=([0-9]{1,16})(?:;|$)/.exec(header ?? '') ?? []
  return Number(digits ?? 0)
}
