import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Separate cores for the server and the load generator, so that neither slows down the other. */
export const cores = { server: 0, generator: 1 } as const

/** True if a process can be pinned to one core: Linux with util-linux. */
export const canPin = spawnSync('taskset', ['-c', String(cores.generator), 'true']).status === 0

/** Runs a script with this Node, pinned to one core if possible. Its standard output is a pipe. */
export function spawnPinned(
  core: number,
  args: string[],
  env: Record<string, string | undefined> = {},
): ChildProcess {
  // taskset executes the command in its own process: the child's pid is Node's.
  const [command, ...first] = canPin ? ['taskset', '-c', String(core), process.execPath] : [process.execPath]
  return spawn(command ?? process.execPath, [...first, ...args], {
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', HOST: '127.0.0.1', ...env },
    // `culvert start` writes its welcome for the operator to standard error.
    stdio: ['ignore', 'pipe', core === cores.server ? 'ignore' : 'inherit'],
  })
}

/** Stops a child and waits for its exit. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
