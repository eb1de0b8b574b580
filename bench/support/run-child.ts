import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Runs a program of `bench` and resolves with the last line of JSON it prints. */
export async function runChild(program: string, args: readonly (string | number)[]): Promise<unknown> {
  const child = startChild(program, args)
  let last = 'null'
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line
  })
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}`)
  return JSON.parse(last)
}

/** Starts a program of `bench`; the caller uses its standard input and output. */
export function startChild(
  program: string,
  args: readonly (string | number)[],
  variables: Record<string, string | undefined> = {},
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, [join(import.meta.dirname, '..', program), ...args.map(String)], {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** The first line with this property that a child prints as JSON. Rejects if the child exits before. */
export function readProperty(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)))
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry: unknown = JSON.parse(line)
      const value: unknown =
        typeof entry === 'object' && entry !== null ? Reflect.get(entry, name) : undefined
      if (value !== undefined) resolve(value)
    })
  })
}
