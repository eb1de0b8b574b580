import { appConfig } from '../../app.config.ts'
import { createServerState } from './server-state.ts'

const { failures, minMs, maxMs } = appConfig.prefetch.pause

/** This tab's state of the page data server. */
export const pageDataServer = createServerState({
  now: () => performance.now(),
  random: Math.random,
  failuresBeforePause: failures,
  minPauseMs: minMs,
  maxPauseMs: maxMs,
})
