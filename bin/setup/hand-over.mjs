import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs the real command in place of this process, as far as one process can stand for another: same terminal, same
 * signals, same exit code.
 *
 * @returns {Promise<number>} the exit code, 128 + signal where a signal ended it
 */
export function handOver(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      // Ctrl-C in a terminal goes to every process of the foreground, so the child has it already. Each signal is
      // passed on once, because npm and a service manager may both send it, and a second one means "at once".
      process.once(signal, () => {
        process.on(signal, () => undefined)
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
      })
    }
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
