import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from './listen-locally.ts'
import { createTempDir, type TempDir } from './temp-dir.ts'

/** A reverse proxy in front of Culvert, with a recipe of docs/tunnel.md as its configuration. */
export interface ReverseProxy {
  origin: string
  stop(): Promise<void>
}

/** The configuration of a proxy. */
export interface ProxySite {
  /** The recipe, with the address of the Culvert under test. */
  recipe: string
  /** Folder of the pages on the same origin. Default: none. */
  pages?: string
  /** For nginx: what is outside of the server. */
  outside?: string
}

const unpacked = join(import.meta.dirname, '../../node_modules/.cache/debian-packages')

/** Starts nginx on a free port. */
export async function startNginx(
  program: string,
  { recipe, pages, outside = '' }: ProxySite,
): Promise<ReverseProxy> {
  const temp = await createTempDir()
  const folder = temp.path
  const port = await findFreePort()
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/temp;`,
  )
  // As root its workers would run as a user who cannot read the folders of a test.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const config = `daemon off; ${user} pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http {
      access_log off; ${paths.join(' ')}
      types { text/html html; text/javascript js; }
      ${outside}
      server { listen 127.0.0.1:${port}; ${pages === undefined ? '' : `root ${pages};`} ${recipe} }
    }`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, config)
  const child = spawn(program, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  return toProxy(child, port, temp)
}

/** Starts Caddy on a free port. */
export async function startCaddy(program: string, { recipe, pages }: ProxySite): Promise<ReverseProxy> {
  const temp = await createTempDir()
  const folder = temp.path
  const port = await findFreePort()
  const files = pages === undefined ? '' : `handle {\n root * ${pages}\n file_server\n}\n`
  const config = `{\n admin off\n auto_https off\n}\n:${port} {\n bind 127.0.0.1\n${recipe}\n${files}}`
  const file = join(folder, 'Caddyfile')
  await writeFile(file, config)
  const child = spawn(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { HOME: folder },
  })
  return toProxy(child, port, temp)
}

/**
 * Finds a program on the system, or downloads its Debian package and unpacks it into `node_modules/.cache`:
 * an installation would start it as a service. Undefined if neither works, for example on another system.
 */
export function findProxyProgram(name: 'nginx' | 'caddy'): string | undefined {
  const candidates = [`/usr/sbin/${name}`, `/usr/bin/${name}`, `/usr/local/bin/${name}`]
  const found = candidates.find(runs)
  if (found !== undefined) return found
  if (!existsSync(join(unpacked, name))) unpackDebianPackage(name)
  return candidates.map((path) => join(unpacked, name, path)).find(runs)
}

function runs(program: string): boolean {
  return (
    existsSync(program) && spawnSync(program, program.endsWith('nginx') ? ['-v'] : ['version']).status === 0
  )
}

function unpackDebianPackage(name: string): void {
  if (!existsSync('/usr/bin/apt-get')) return
  mkdirSync(unpacked, { recursive: true })
  const folder = mkdtempSync(join(unpacked, 'download-'))
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: 'ignore', timeout: 120_000 })
  try {
    if (process.getuid?.() === 0) run('apt-get', ['update'])
    run('apt-get', ['download', name])
    const [archive = ''] = readdirSync(folder)
    run('dpkg', ['-x', archive, 'root'])
    renameSync(join(folder, 'root'), join(unpacked, name))
  } catch {
    // No network, no such package, or another test unpacked it meanwhile: the caller looks for the program.
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function toProxy(child: ChildProcess, port: number, temp: TempDir): Promise<ReverseProxy> {
  const origin = `http://127.0.0.1:${port}`
  const proxy = {
    origin,
    async stop() {
      const exited = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await exited
      await temp.remove()
    },
  }
  while (!(await isListening(origin))) {
    if (child.exitCode !== null) {
      await temp.remove()
      throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return proxy
}

function isListening(origin: string): Promise<boolean> {
  return fetch(origin).then(
    () => true,
    () => false,
  )
}
