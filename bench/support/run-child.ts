import { spawn, type ChildProcessByStdio } from 'node:child_process'
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
  variables: Record<string, string> = {},
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, [join(import.meta.dirname, '..', program), ...args.map(String)], {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}
