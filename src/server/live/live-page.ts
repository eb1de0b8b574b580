import { limits } from '#server/limits.ts'
import type { IssueMarks } from '#server/store/issues/marks.ts'

/** The user of a stream, and the projects in its events. */
export interface LiveReader {
  userId: string
  projectIds: readonly number[]
  /**
   * The projects that the session currently has access to; undefined if it has ended. Cached for seconds, so
   * that it costs little.
   */
  findReach: () => Promise<readonly number[] | undefined>
}

/** An open stream. */
export interface LivePage {
  readonly userId: string
  readonly projectIds: readonly number[]
  /**
   * Sends one event for all changes of a batch. Closes the stream instead if the session has ended or its
   * access has changed.
   */
  announce(marks: IssueMarks): Promise<void>
  /** Sends a keep-alive, or closes the stream, if that is due. */
  tend(): void
  close(): void
}

interface LivePageOptions {
  reader: LiveReader
  controller: ReadableStreamDefaultController<Uint8Array>
  clock: () => number
  /** Called once, when the server closes the stream. */
  onClose: (page: LivePage) => void
}

/** Opens a stream. */
export function createLivePage({ reader, controller, clock, onClose }: LivePageOptions): LivePage {
  const { userId, projectIds } = reader
  const openedAt = clock()
  let checkedAt = openedAt
  let sentAt = openedAt
  let isOpen = true

  // The absolute difference: a clock that was set back must not keep a stream open.
  const hasPassed = (ms: number, since: number) => Math.abs(clock() - since) > ms

  function send(text: string): void {
    sentAt = clock()
    controller.enqueue(encoder.encode(text))
  }

  /** False for a stream that is closed, or is closed by this call. */
  async function isStillAllowed(): Promise<boolean> {
    checkedAt = clock()
    if (!isSameReach(projectIds, await reader.findReach())) page.close()
    return isOpen
  }

  const page: LivePage = {
    userId,
    projectIds,
    async announce(marks) {
      const reached = [...marks].filter(([projectId]) => projectIds.includes(projectId))
      if (reached.length === 0 || !(await isStillAllowed())) return
      const data = Object.fromEntries(
        reached.map(([projectId, { lastNumber, reopenedCount }]) => [projectId, [lastNumber, reopenedCount]]),
      )
      send(`event: issues\ndata: ${JSON.stringify(data)}\n\n`)
    },
    tend() {
      if (hasPassed(limits.liveStreamMs, openedAt)) page.close()
      else if (hasPassed(limits.liveCheckMs, checkedAt)) void isStillAllowed().catch(ignoreFailedRead)
      else if (hasPassed(limits.liveHeartbeatMs, sentAt)) send(': alive\n\n')
    },
    close() {
      if (!isOpen) return
      isOpen = false
      onClose(page)
      controller.close()
    },
  }
  send('retry: 3000\n\n')
  return page
}

/** An unavailable store is reported elsewhere; the next poll retries. */
export function ignoreFailedRead(): void {}

function isSameReach(before: readonly number[], now: readonly number[] | undefined): boolean {
  return now?.length === before.length && before.every((projectId) => now.includes(projectId))
}

const encoder = new TextEncoder()
