import { limits } from '#server/limits.ts'
import type { IssueChanges } from './issue-changes.ts'
import { createLivePage, ignoreFailedRead, type LivePage, type LiveReader } from './live-page.ts'

/** Streams of server-sent events for open pages. */
export interface LiveStreams {
  /** Number of open streams. */
  readonly openCount: number
  /**
   * Opens a stream with an event `issues` immediately and whenever issues of a project appear or are
   * reopened: `{"2":[47,1]}`, by project the last issue's number and the count of reopenings. It ends when
   * the session ends, when its access changes, when the server stops, and after `limits.liveStreamMs`; the
   * browser reconnects. Undefined if too many are open.
   */
  open(reader: LiveReader): ReadableStream<Uint8Array> | undefined
}

interface LiveStreamsOptions {
  changes: IssueChanges
  clock: () => number
  isStopping: () => boolean
}

/** Uses one subscription and one timer for all streams, and neither without streams. */
export function createLiveStreams({ changes, clock, isStopping }: LiveStreamsOptions): LiveStreams {
  const pages = new Set<LivePage>()
  let timer: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined

  function leave(page: LivePage): void {
    pages.delete(page)
    if (pages.size > 0) return
    clearInterval(timer)
    timer = undefined
    unsubscribe?.()
    unsubscribe = undefined
  }

  function tendPages(): void {
    for (const page of pages) {
      if (isStopping()) page.close()
      else page.tend()
    }
  }

  /** Keeps the newest streams of a user open. */
  function makeRoom(userId: string): void {
    const own = [...pages].filter((page) => page.userId === userId)
    for (const page of own.slice(0, Math.max(0, own.length - limits.liveStreamsPerUser + 1))) page.close()
  }

  function join(page: LivePage): void {
    pages.add(page)
    timer ??= setInterval(tendPages, limits.livePollMs).unref()
    unsubscribe ??= changes.subscribe((changed) => {
      for (const each of pages) void each.announce(changed).catch(ignoreFailedRead)
    })
    // The page compares marks to find changes from before it was connected.
    void changes
      .read(page.projectIds)
      .then((marks) => page.announce(marks))
      .catch(ignoreFailedRead)
  }

  return {
    get openCount() {
      return pages.size
    },
    open(reader) {
      if (isStopping()) return undefined
      makeRoom(reader.userId)
      if (pages.size >= limits.liveStreams) return undefined
      let page: LivePage | undefined
      return new ReadableStream<Uint8Array>({
        start(controller) {
          page = createLivePage({ reader, controller, clock, onClose: leave })
          join(page)
        },
        cancel() {
          if (page !== undefined) leave(page)
        },
      })
    },
  }
}
