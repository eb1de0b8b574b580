import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { minuteMs } from '#time/time-steps.ts'
import { isShortRun } from '../../../bin/checks/short-run.ts'
import { root } from './documents.ts'
import { runAtOnce } from './run-program.ts'

/** The folder of packages and builds that later runs reuse; git ignores it. */
const workshop = join(root, '.recipes')

const fixtures = join(root, 'test/fixtures/recipes')

/** The environment of a program in another application: only Culvert's PATH, with the same Node first. */
export const plainEnv: NodeJS.ProcessEnv = {
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: process.env['HOME'],
  NODE_ENV: 'production',
  NO_COLOR: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  // Next.js 15 "repairs" a complete lock file without registry URLs.
  NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
}

const networkVariable =
  /^(?:https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_(?:registry|cafile))$/i

/** The machine's settings for a registry: its proxies and certificates. */
const networkEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => networkVariable.test(name)),
)

/** Milliseconds after which an installation is ended: a registry may stop answering. */
const installTimeoutMs = 3 * minuteMs

/** npm's message if it cannot reach a registry, or was ended; any other error is a failure. */
const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT_IN_CHAIN|SIGTERM)\b/

/** An installed fixture: its folder, or the reason why it cannot be installed on this machine. */
export type Installation = { ok: true; folder: string } | { ok: false; reason: string }

/** Sets of packages, each with a lock file. */
export type FixtureName = 'next-16' | 'next-15' | 'vite' | 'traces'

/** What the tests of this run need. */
const fixtureNames: FixtureName[] = isShortRun ? ['vite', 'traces'] : ['next-16', 'next-15', 'vite', 'traces']

const installations = new Map<string, Promise<Installation>>()

/**
 * Installs the packages of test/fixtures/recipes/NAME into .recipes/NAME, unless the same lock file is
 * installed there. Reports that no registry can be reached; throws on every other failure.
 */
export function install(name: FixtureName): Promise<Installation> {
  // All at once: they wait for the network most of the time.
  for (const each of fixtureNames) {
    const started = installations.get(each) ?? installPackages(each)
    started.catch(() => undefined)
    installations.set(each, started)
  }
  return installations.get(name) ?? installPackages(name)
}

/**
 * Installs all fixtures, which in the first run takes longer than a test may. Never rejects: a test that
 * needs a failed one reports the reason.
 */
export async function installAll(): Promise<void> {
  await Promise.allSettled(fixtureNames.map(install))
}

async function installPackages(name: FixtureName): Promise<Installation> {
  const folder = join(workshop, name)
  const stamp = join(folder, 'node_modules', '.culvert-stamp')
  const fingerprint = fingerprintOf([process.platform, process.arch, readLock(name)])
  if (readText(stamp) === fingerprint) return { ok: true, folder }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(fixtures, name, file), join(folder, file))
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  const flags = ['--include=dev', '--prefer-offline', '--fetch-timeout=30000', '--loglevel=error']
  // Not in production mode, which would omit the development dependencies.
  const env = { ...plainEnv, ...networkEnv, NODE_ENV: 'development' }
  // Not `npm ci`, which rejects a lock file without the optional packages of every platform; the lock file is
  // valid for both.
  const attempt = () =>
    runAtOnce(['npm', 'install', ...flags], { cwd: folder, env, timeout: installTimeoutMs })
  let { exitCode, output } = await attempt()
  // Downloaded packages are in npm's cache.
  if (unreachable.test(output)) ({ exitCode, output } = await attempt())
  if (exitCode === 0) {
    writeFileSync(stamp, fingerprint)
    return { ok: true, folder }
  }
  if (!unreachable.test(output)) throw new Error(`npm install in ${folder} failed:\n${output}`)
  return { ok: false, reason: `the packages of test/fixtures/recipes/${name} cannot be downloaded` }
}

/** The exact version of a package that a fixture pins. Throws if it has none. */
export function installedVersion(name: FixtureName, packageName: string): string {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(fixtures, name, 'package.json'), 'utf8'),
  ) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  const version = dependencies[packageName] ?? devDependencies[packageName]
  if (version === undefined) throw new Error(`test/fixtures/recipes/${name} has no ${packageName}.`)
  return version
}

/** The lock file of a fixture. */
export function readLock(name: FixtureName): string {
  return readFileSync(join(fixtures, name, 'package-lock.json'), 'utf8')
}

/** SHA-256 of texts, in order. */
export function fingerprintOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex')
}

/** The content of a file, or the empty string if it does not exist. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
