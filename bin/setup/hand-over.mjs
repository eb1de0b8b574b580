import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const parentCheckMs = 250

/**
 * Runs the real command in place of this process, as far as one process can stand for another: same terminal,
 * same signals, same exit code.
 *
 * @returns {Promise<number>} the exit code, 128 + signal where a signal ended it
 */
export function handOver(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env })
    const stop = stopOnce(child)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
    const watch = watchParent(() => stop('SIGTERM'))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(watch)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** Asks the child to stop, the first time only: to a server that drains, a second signal means "at once". */
function stopOnce(child) {
  let isAsked = false
  return (signal) => {
    if (isAsked) return
    isAsked = true
    // Ctrl-C in a terminal goes to every process in the foreground, so the child has it already.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
}

/**
 * npm sends its signals to the shell between itself and us, which ends without passing them on. So below npm
 * a parent that is gone means "stop". Started by hand, this process may well outlive its terminal.
 */
function watchParent(onGone) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return undefined
  return setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, parentCheckMs)
}
