import { spawn } from 'node:child_process'

/** A failed step of the setup. The message is for the user at the terminal. */
export class StepFailed extends Error {}

/**
 * Runs a command and prints one line to stderr: its title, then its duration. Prints its output only if it
 * fails.
 *
 * @param {string} title shown while it runs
 * @param {string[]} command program and arguments
 * @param {{ env?: NodeJS.ProcessEnv, advice?: string }} [options] advice: instructions if it fails
 * @throws {StepFailed} if the command cannot start or exits with an error
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
