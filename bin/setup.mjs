#!/usr/bin/env node
/**
 * Entry of `npm start`, `npm test` and the other scripts. Runs on Node 20 or later without dependencies:
 * installs a newer Node and the dependencies if they are missing, builds if a source changed, then runs the
 * command. Prints nothing if there is nothing to do.
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
/** The same program, bundled by the build: it starts in half the CPU time and takes 30 MB less memory. */
const builtCulvert = join('dist', 'program', 'program.js')
/**
 * MiB of each semi-space of V8. By default it grows beyond 100 MB: 409 MB remain resident after minutes of
 * full load, 308 MB with this value. 8 and 4 MiB use 6 and 8 % more CPU per event.
 */
const serverFlags = ['--max-semi-space-size=16']
/**
 * Arenas of glibc's malloc. By default each thread gets one, and freed memory remains in it: 463 MB remain
 * resident with list pages at full rate, 392 MB with one arena for all.
 */
const serverArenas = '1'
/**
 * The compile cache. Set before Node starts, it covers the first module too, so the type stripper never
 * loads: 16 MB less resident memory. `bin/culvert.ts` uses the same folder when it is run directly.
 */
const compiledSources = join('node_modules', '.cache', 'compiled-sources')
const vite = join('node_modules', 'vite', 'bin', 'vite.js')
/** Serves the build for Vercel with its static files. */
const vercelServer = [
  join('node_modules', 'srvx', 'bin', 'srvx.mjs'),
  '--prod',
  '--host=127.0.0.1',
  '--static=../../static',
  join('.vercel', 'output', 'functions', '__server.func', 'index.mjs'),
]

/** The program of each command, what it requires, and whether it reads .env. */
const commands = {
  start: { build: true, production: true, settings: true, run: [...serverFlags, builtCulvert, 'start'] },
  culvert: { settings: true, run: [culvert] },
  demo: { settings: true, run: [join('demo', 'demo.ts')] },
  dev: { settings: true, run: [vite, 'dev'] },
  build: { build: true },
  vercel: { build: true, isForVercel: true, production: true, run: vercelServer },
  package: { build: true, run: [join('bin', 'package.ts')] },
  bench: { build: true, production: true, run: [join('bench', 'main.ts')] },
  test: { run: [join('bin', 'test.ts')] },
  check: { run: [join('bin', 'check.ts')] },
  imports: { run: [join('bin', 'write-import-rules.ts')] },
  'release-fixture': { run: [join('bin', 'release-fixture.ts')] },
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
  // Only `npm run build` builds for its host. Commands that run here need the plain build.
  if (command.isForVercel) env.VERCEL = '1'
  else if (name !== 'build') delete env.VERCEL
  await ensureDependencies(env)
  if (command.build) await ensureBuild(node.binary, env)
  if (command.run === undefined) return 0
  if (command.production) {
    env.NODE_ENV = 'production'
    env.MALLOC_ARENA_MAX ??= serverArenas
  }
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
