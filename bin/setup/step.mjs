import { spawn } from 'node:child_process'

/** A step of the setup that cannot go on; its message is for the person at the terminal. */
export class StepFailed extends Error {}

/**
 * Runs a command to its end and shows one line on stderr: what it is, then how long it took. What the command
 * itself says is shown only when it fails.
 *
 * @param {string} title what a person reads while it runs
 * @param {string[]} command program and arguments
 * @param {{ env?: NodeJS.ProcessEnv, advice?: string }} [options] advice: what to do when it fails
 * @throws {StepFailed} when the command cannot be started or ends with anything but 0
 */
export async function runStep(title, [program, ...args], { env = process.env, advice = '' } = {}) {
  const startedAt = performance.now()
  process.stderr.write(`${title} …`)
  const { code, output } = await capture(program, args, env)
  process.stderr.write(` ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  if (code === 0) return
  throw new StepFailed([output.trimEnd(), `Failed: ${title}.`, advice].filter(Boolean).join('\n'))
}

function capture(program, args, env) {
  return new Promise((resolve) => {
    // npm is a .cmd file on Windows, which only a shell can start.
    const child = spawn(program, args, {
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
