import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const parentCheckMs = 250

/**
 * Runs the command in place of this process, with the same terminal, signals and exit code.
 *
 * @returns {Promise<number>} the exit code; 128 + signal if a signal ended it
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

/** Stops the child once: a draining server takes a second signal as "exit at once". */
function stopOnce(child) {
  let isAsked = false
  return (signal) => {
    if (isAsked) return
    isAsked = true
    // Ctrl-C in a terminal signals the whole foreground group, so the child already received it.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
}

/**
 * npm signals its shell, which exits without passing the signal on. So under npm a missing parent means
 * "stop". Started by hand, this process may outlive its terminal.
 */
function watchParent(onGone) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return undefined
  return setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, parentCheckMs)
}
