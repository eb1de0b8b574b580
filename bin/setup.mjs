#!/usr/bin/env node
/**
 * What `npm start`, `npm test` and the other scripts call first. Runs on any Node from 20 on, without
 * dependencies: brings a newer Node and the dependencies along where they are missing, builds where something
 * changed, then hands over to the real command. Where nothing is to be done it does nothing and says nothing.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuild } from './setup/build.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { handOver } from './setup/hand-over.mjs'
import { ensureNode } from './setup/node.mjs'
import { root } from './setup/root.mjs'
import { StepFailed } from './setup/step.mjs'

const culvert = join('bin', 'culvert.ts')
/**
 * MiB for each half of V8's space for young objects. Left to itself it grows to more than 100 MB, of what
 * requests have long done with: under full load 409 MB stay resident after minutes then and 308 MB with this.
 * Smaller halves are collected more often: 8 and 4 MiB took 6 and 8 % more CPU an event.
 */
const serverFlags = ['--max-semi-space-size=16']
/**
 * Where Node keeps what it made of the sources. Told before the start, it holds for the first of them too, so
 * that nothing is loaded that strips types: 16 MB less stay resident. `bin/culvert.ts` names the same folder
 * for who starts it directly.
 */
const compiledSources = join('node_modules', '.cache', 'compiled-sources')
const vite = join('node_modules', 'vite', 'bin', 'vite.js')
/** Serves the function that Vercel would run, and its files beside it. */
const vercelServer = [
  join('node_modules', 'srvx', 'bin', 'srvx.mjs'),
  '--prod',
  '--host=127.0.0.1',
  '--static=../../static',
  join('.vercel', 'output', 'functions', '__server.func', 'index.mjs'),
]

/**
 * What each command runs on the newer Node, what must be in place before, and whether it reads the settings
 * in .env.
 */
const commands = {
  start: { build: true, production: true, settings: true, run: [...serverFlags, culvert, 'start'] },
  culvert: { settings: true, run: [culvert] },
  demo: { settings: true, run: [join('demo', 'demo.ts')] },
  dev: { settings: true, run: [vite, 'dev'] },
  build: { build: true },
  vercel: { build: true, isForVercel: true, production: true, run: vercelServer },
  bench: { build: true, production: true, run: [join('bench', 'main.ts')] },
  test: { run: [join('bin', 'test.ts')] },
  check: { run: [join('bin', 'check.ts')] },
  imports: { run: [join('bin', 'write-import-rules.ts')] },
  vitest: { run: [join('node_modules', 'vitest', 'vitest.mjs')] },
  playwright: { build: true, run: [join('node_modules', '@playwright', 'test', 'cli.js')] },
}

async function main([name = '', ...rest]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    console.error(`Usage: node bin/setup.mjs ${Object.keys(commands).join('|')} [arguments]`)
    return 2
  }
  const node = await ensureNode()
  const env = { ...process.env, PATH: node.path }
  // Only `npm run build` builds for the host it runs on: what is run right here needs the plain build.
  if (command.isForVercel) env.VERCEL = '1'
  else if (name !== 'build') delete env.VERCEL
  await ensureDependencies(env)
  if (command.build) await ensureBuild(node.binary, env)
  if (command.run === undefined) return 0
  if (command.production) env.NODE_ENV = 'production'
  env.NODE_COMPILE_CACHE ??= join(root, compiledSources)
  const flags = command.settings && existsSync('.env') ? ['--env-file=.env'] : []
  return handOver(node.binary, [...flags, ...command.run, ...rest], env)
}

process.chdir(root)
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StepFailed)) throw error
  console.error(error.message)
  process.exitCode = 1
}
