import type { QueryClient } from '@tanstack/react-query'
import { openLiveChannel } from '#navigation/live-channel.ts'
import { pageDataServer } from '#navigation/page-data-server.ts'
import { isHidden, whenShownAgain } from '#navigation/page-visibility.ts'
import type { IssueSearch } from '#server/console/issues/views.ts'
import { appConfig } from '../../../app.config.ts'
import { issueListQuery } from './list.ts'
import { hasMoved } from './pending-issues.ts'

/** Minimum time between two reads of a changing list. */
const gapMs = { visible: 2_500, hidden: 20_000 }

/** A list that was hidden for this time is reloaded when it is shown. */
const hiddenMs = 30_000

/**
 * Reloads the list of a search when issues appear or are reopened, and at an interval: users change issues,
 * and further events change counts. A hidden tab stops after it has announced
 * new issues in its title, and continues when it is shown. Only in the browser. Returns the stop function.
 */
export function followList(queryClient: QueryClient, search: IssueSearch): () => void {
  const { queryKey } = issueListQuery(search)
  const read = () => void queryClient.invalidateQueries({ queryKey, exact: true })
  const pacer = createPacer(read)
  let isBehind = false
  const closeChannel = openLiveChannel((marks) => {
    const shown = queryClient.getQueryData(queryKey)
    if (shown === undefined || !hasMoved(shown, marks)) return
    isBehind = isHidden() && shown.pending !== undefined
    if (!isBehind) pacer.readSoon()
  })
  const timer = setInterval(() => {
    const state = queryClient.getQueryState(queryKey)
    const isFresh = state !== undefined && Date.now() - state.dataUpdatedAt < appConfig.liveListMs
    if (!isFresh && !isHidden() && pageDataServer.pauseMs() === 0) read()
  }, appConfig.liveListMs)
  const stopFollowing = whenShownAgain((wasHiddenMs) => {
    if (!isBehind && wasHiddenMs < hiddenMs) return
    isBehind = false
    read()
  })
  return () => {
    pacer.stop()
    clearInterval(timer)
    closeChannel()
    stopFollowing()
  }
}

/** Reads immediately; further changes within the gap cause one read at its end. */
function createPacer(read: () => void) {
  let readAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const readNow = () => {
    readAt = performance.now()
    read()
  }
  return {
    readSoon() {
      clearTimeout(timer)
      const gap = isHidden() ? gapMs.hidden : gapMs.visible
      timer = setTimeout(readNow, Math.max(0, readAt + gap - performance.now()))
    },
    stop: () => clearTimeout(timer),
  }
}
