import { appConfig } from '../../app.config.ts'
import { createServerState } from './server-state.ts'

const { failures, minMs, maxMs } = appConfig.prefetch.pause

/** What this tab knows of the server that answers page data. */
export const pageDataServer = createServerState({
  now: () => performance.now(),
  random: Math.random,
  failuresBeforePause: failures,
  minPauseMs: minMs,
  maxPauseMs: maxMs,
})
