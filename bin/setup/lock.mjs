import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StepFailed } from './step.mjs'

const folder = '.node'
const lock = join(folder, 'lock')

/** Interval of touching the lock; a lock that was not touched for the longer time is stale. */
const heartbeatMs = 1000
const staleMs = 15_000
const waitLimitMs = 15 * 60_000
const reportAfterMs = 2000

/**
 * Runs the work exclusively: two concurrent `npm start` must not install over each other. Uses a heartbeat,
 * because process ids have no meaning across containers that share the folder.
 */
export async function withLock(work) {
  await acquire()
  const heartbeat = setInterval(touch, heartbeatMs)
  process.once('SIGINT', leaveAndEnd).once('SIGTERM', leaveAndEnd)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    process.off('SIGINT', leaveAndEnd).off('SIGTERM', leaveAndEnd)
    leave()
  }
}

async function acquire() {
  mkdirSync(folder, { recursive: true })
  const startedAt = Date.now()
  let isTold = false
  while (!tryToCreate()) {
    discardIfStale()
    await sleep(100)
    const waitedMs = Date.now() - startedAt
    if (waitedMs > waitLimitMs) throw new StepFailed(`Another setup holds ${lock}; remove it if none runs.`)
    if (waitedMs < reportAfterMs || isTold) continue
    process.stderr.write('Waiting for another setup of this folder …\n')
    isTold = true
  }
}

function tryToCreate() {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Renamed before it is removed: of two processes that find the same stale lock, only one succeeds. */
function discardIfStale() {
  try {
    if (Date.now() - statSync(lock).mtimeMs < staleMs) return
    const aside = `${lock}.${process.pid}`
    renameSync(lock, aside)
    rmSync(aside, { recursive: true, force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function touch() {
  const now = new Date()
  try {
    utimesSync(lock, now, now)
  } catch {
    // The lock was removed by hand. The work continues.
  }
}

function leave() {
  rmSync(lock, { recursive: true, force: true })
}

function leaveAndEnd() {
  leave()
  process.exit(130)
}
