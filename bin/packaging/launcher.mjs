#!/usr/bin/env node
/**
 * Entry of the installed package, as `bin/culvert.js`. Plain JavaScript that an old Node can also parse, so
 * that it prints a message instead of a syntax error.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(`Culvert needs Node 24.15 or later; this is ${process.versions.node}.`)
  process.exit(1)
}

if (existsSync('.env')) process.loadEnvFile('.env')

const program = new URL('../dist/program/program.js', import.meta.url)
/** As in `npm start`: without them 170 MB more remain resident after minutes of full load. */
const serverFlags = ['--max-semi-space-size=16']
const serverSettings = { MALLOC_ARENA_MAX: '1' }
const [command] = process.argv.slice(2)
const hasFlags = process.execArgv.some((flag) => flag.startsWith('--max-semi-space-size'))
// V8 and malloc read them when a process starts, so the process replaces itself, which keeps its signals and
// id; Windows has no such call.
if (command === 'start' && !hasFlags && process.execve !== undefined && process.platform !== 'win32') {
  process.removeAllListeners('warning')
  process.execve(
    process.execPath,
    [process.execPath, ...serverFlags, fileURLToPath(program), ...process.argv.slice(2)],
    { ...serverSettings, ...process.env },
  )
}
await import(program.href)
