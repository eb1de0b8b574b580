import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StepFailed } from './step.mjs'

const folder = '.node'
const lock = join(folder, 'lock')

/**
 * The holder touches its lock this often; one that was not touched for the longer time has no holder any
 * more.
 */
const heartbeatMs = 1000
const staleMs = 15_000
const waitLimitMs = 15 * 60_000
const toldAfterMs = 2000

/**
 * Runs the work while no other setup of this folder runs its own: two `npm start` at once must not install
 * over each other. A heartbeat rather than a process id, because ids mean nothing across containers that
 * share the folder.
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
    if (waitedMs < toldAfterMs || isTold) continue
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

/** Moved away before it is removed: of two that find the same stale lock, only one can move it. */
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
    // Somebody removed the lock by hand. The work under way goes on.
  }
}

function leave() {
  rmSync(lock, { recursive: true, force: true })
}

function leaveAndEnd() {
  leave()
  process.exit(130)
}
