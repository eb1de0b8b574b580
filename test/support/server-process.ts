import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundledProgram, compiledSources } from './bundled-program.ts'

/** A server as an operator starts it. */
export interface ServerProcess {
  origin: string
  child: ChildProcess
  /** The parsed lines of its log so far. */
  log: Record<string, unknown>[]
  /** Its messages for the operator so far. */
  stderr: () => string
  /** Sends a signal and resolves with the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export interface ServerProcessOptions {
  dataDir: string
  /** Arguments of `start`. */
  args?: string[]
  variables?: Record<string, string>
  /** The folder of the application to run. Default: this repository, bundled. */
  root?: string
  /** A script to run instead of `culvert start`, which logs its address in the same way. */
  program?: string
  /** A wrapper of the command: a tracer and its arguments. */
  wrapper?: string[]
  /** Arguments of Node itself. */
  nodeArgs?: string[]
  /** Called with the process before it has done anything. */
  onSpawn?: (child: ChildProcess) => void
}

/** The running processes, each with its log. */
const running = new Map<ChildProcess, ServerProcess['log']>()

/** Kills the processes that a failed test left running: the server, and its wrapper. */
export function killServerProcesses(): void {
  for (const [child, log] of running) {
    const pid = log[0]?.['pid']
    if (pid !== undefined && pid !== child.pid) process.kill(Number(pid), 'SIGKILL')
    child.kill('SIGKILL')
  }
}

/** Spawns `culvert start --ingest-only` on a free port and resolves once it listens. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { dataDir, variables = {} } = options
  const [file = '', ...args] = await commandOf(options)
  const child = spawn(file, args, {
    env: {
      NODE_COMPILE_CACHE: compiledSources,
      ...process.env,
      PORT: '0',
      CULVERT_DATA_DIR: dataDir,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  options.onSpawn?.(child)
  const log: Record<string, unknown>[] = []
  running.set(child, log)
  child.once('exit', () => running.delete(child))
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const exited = once(child, 'exit')
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>
      log.push(entry)
      if (typeof entry['address'] === 'string') resolve(entry['address'])
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${stderr}`)))
  })
  return {
    origin,
    child,
    log,
    stderr: () => stderr,
    async end(signal) {
      // The server itself: killing the wrapper would leave it running.
      process.kill(Number(log[0]?.['pid']), signal)
      const [code, endedBy] = (await exited) as [number | null, NodeJS.Signals | null]
      return code ?? endedBy ?? 'SIGKILL'
    },
  }
}

async function commandOf(options: ServerProcessOptions): Promise<string[]> {
  const { args = ['--ingest-only'], root, program, wrapper = [], nodeArgs = [] } = options
  const start = async () => (root === undefined ? bundledProgram() : join(root, 'bin/culvert.ts'))
  const script = program === undefined ? [await start(), 'start', ...args] : [program]
  return [...wrapper, process.execPath, ...nodeArgs, ...script]
}

/** The output of a finished command, and its exit code. */
export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/**
 * Runs the operator's command line to its end, by default in the current directory. From the bundle it takes
 * a third of the processor time.
 */
export async function runCulvert(
  args: string[],
  variables: Record<string, string>,
  cwd?: string,
): Promise<CommandResult> {
  const program = await bundledProgram()
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      {
        env: { NODE_COMPILE_CACHE: compiledSources, ...process.env, ...variables },
        ...(cwd !== undefined && { cwd }),
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
