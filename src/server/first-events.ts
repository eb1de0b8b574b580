import type { Kysely } from 'kysely'
import { limits } from './limits.ts'
import { listProjectsWithIssues } from './store/first-issue.ts'
import type { Database } from './store/schema.ts'

/** Pages that wait for the first event of a project, over server-sent events. */
export interface FirstEvents {
  /**
   * A stream that says `first-event` as soon as the project has one, and ends. It ends as well after a while, when the
   * browser connects anew by itself, and when the server stops. Undefined: too many are open.
   */
  open(projectId: number): ReadableStream<Uint8Array> | undefined
}

interface Page {
  projectId: number
  openedAt: number
  heardAt: number
  controller: ReadableStreamDefaultController<Uint8Array>
}

/** One look for all pages, and none while nobody waits. */
export function createFirstEvents({
  db,
  clock,
  isStopping,
}: {
  db: Kysely<Database>
  clock: () => number
  isStopping: () => boolean
}): FirstEvents {
  const pages = new Set<Page>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const projectIds = [...new Set([...pages].map(({ projectId }) => projectId))]
      const ready = new Set(isStopping() ? [] : await listProjectsWithIssues(db, projectIds))
      for (const page of pages) tell(page, ready.has(page.projectId))
    } catch {
      // A store that cannot be read is told of elsewhere; the next look may find it better.
    } finally {
      isLooking = false
    }
  }

  function tell(page: Page, isReady: boolean): void {
    const now = clock()
    if (isReady) page.controller.enqueue(encoder.encode('event: first-event\ndata: {}\n\n'))
    // Either way: a clock that was set back must not keep a stream open.
    const isOld = Math.abs(now - page.openedAt) > limits.firstEventStreamMs
    if (isReady || isOld || isStopping()) {
      leave(page)
      page.controller.close()
    } else if (Math.abs(now - page.heardAt) > limits.firstEventHeartbeatMs) {
      page.heardAt = now
      page.controller.enqueue(encoder.encode(': waiting\n\n'))
    }
  }

  function leave(page: Page): void {
    pages.delete(page)
    if (pages.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    open(projectId) {
      if (pages.size >= limits.firstEventStreams || isStopping()) return undefined
      let page: Page | undefined
      return new ReadableStream<Uint8Array>({
        start(controller) {
          page = { projectId, openedAt: clock(), heardAt: clock(), controller }
          pages.add(page)
          controller.enqueue(encoder.encode('retry: 3000\n\n'))
          timer ??= setInterval(() => void look(), limits.firstEventLookMs).unref()
        },
        cancel() {
          if (page !== undefined) leave(page)
        },
      })
    },
  }
}

const encoder = new TextEncoder()
