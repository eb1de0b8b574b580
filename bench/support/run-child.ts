import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Runs a program of this folder and resolves with the last line of JSON it prints. */
export async function runChild(program: string, args: readonly (string | number)[]): Promise<unknown> {
  const child = startChild(program, args)
  let last = 'null'
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    last = line
  })
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}`)
  return JSON.parse(last)
}

/** Starts a program of this folder; the caller uses its standard input and output. */
export function startChild(program: string, args: readonly (string | number)[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, program), ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}
