import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The result of a program. */
export interface ProgramEnding {
  exitCode: number
  /** stdout and stderr. */
  output: string
}

/** Runs a program to its end, at a lower priority than concurrent tests, which measure durations. */
export function runProgram(command: string[], options: SpawnOptions = {}): Promise<ProgramEnding> {
  return waitForEnd(spawnInBackground(command, options))
}

/** Runs a program that other tests wait for to its end, at the priority of the tests. */
export function runAtOnce(command: string[], options: SpawnOptions = {}): Promise<ProgramEnding> {
  return waitForEnd(spawnPiped(command, options))
}

async function waitForEnd(child: ChildProcess): Promise<ProgramEnding> {
  const read = collectOutput(child)
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode: exitCode ?? 1, output: read() }
}

/** Runs a program to its end. Throws an Error with its output unless it exits with 0. */
export async function runToSuccess(command: string[], options: SpawnOptions = {}): Promise<string> {
  const { exitCode, output } = await runProgram(command, options)
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${output}`)
  return output
}

/** A running server program. */
export interface RunningProgram {
  origin: string
  output(): string
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<void>
}

const startTimeoutMs = 60_000

/** Starts a program that listens on this port, and waits until it answers HTTP requests. */
export async function startProgram(
  command: string[],
  port: number,
  options: SpawnOptions = {},
): Promise<RunningProgram> {
  const child = spawnInBackground(command, options)
  const output = collectOutput(child)
  const closed = once(child, 'close')
  const origin = `http://127.0.0.1:${port}`
  const giveUpAt = Date.now() + startTimeoutMs
  while (!(await isAnswering(origin))) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      child.kill('SIGKILL')
      throw new Error(`${command.join(' ')} does not listen on port ${port}:\n${output()}`)
    }
    await sleep(100)
  }
  return {
    origin,
    output,
    async stop() {
      // All processes of the group that the shell was started with.
      if (options.detached === true && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      else child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await closed
      clearTimeout(timer)
    },
  }
}

function spawnPiped([program = '', ...args]: string[], options: SpawnOptions): ChildProcess {
  return spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
}

function spawnInBackground(command: string[], options: SpawnOptions): ChildProcess {
  const child = spawnPiped(command, options)
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}

function collectOutput(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  }
  child.on('error', (error) => (output += error.message))
  return () => output
}

async function isAnswering(origin: string): Promise<boolean> {
  try {
    await fetch(`${origin}/favicon.ico`)
    return true
  } catch {
    return false
  }
}
