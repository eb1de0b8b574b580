import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chmod, cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { expect } from 'vitest'
import { findFreePort, listenLocally } from '#test/listen-locally.ts'
import { findProxyProgram, startCaddy, startNginx, type ReverseProxy } from '#test/reverse-proxies.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { root } from '../support/documents.ts'
import { plainEnv } from '../support/fixture-install.ts'
import { whileLocked } from '../support/locked-database.ts'
import { runProgram, runToSuccess, startProgram } from '../support/run-program.ts'
import { skip } from '../support/skip.ts'
import { fillIn, type DocumentWorld, type Recipe } from './recipe.ts'
import { runShell } from './shell.ts'

/** Installed, with its dependencies. The goal of the project; the package has 12 MB. */
const installedMegabytes = 40

const nodePath = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
const tarballName = './culvert-VERSION.tgz'

let made: { folder: string; tarball: string } | undefined

/**
 * Makes the package, as the other blocks of the guide need it, in the way of the first stage of the
 * Dockerfile: in a clean folder with what the image copies, without git's history. Only the dependencies are
 * those of this checkout.
 */
export const makePackage: Recipe = async (code) => {
  const [copied, built] = [/^COPY \. \.$/m, new RegExp(`^RUN ${code.trim()}$`, 'm')]
  for (const instruction of [copied, built]) expect(buildStage()).toMatch(instruction)
  const { path: folder } = await createTempDir()
  // The user of the image reads it, too.
  await chmod(folder, 0o755)
  // The blocks that follow need it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const left = new Set((await readFile(join(root, '.dockerignore'), 'utf8')).split('\n'))
  // Of the last line, and the relative path of the folder itself.
  left.delete('')
  await cp(root, folder, {
    recursive: true,
    filter: (source) => !left.has(relative(root, source)),
  })
  expect(existsSync(join(folder, '.git'))).toBe(false)
  for (const installed of ['node_modules', '.node'])
    if (existsSync(join(root, installed))) await symlink(join(root, installed), join(folder, installed))
  const printed = await runShell(code, { cwd: folder, variables: { SENTRY_RELEASE: 'image@1' } })
  made = { folder, tarball: join(folder, printed.trim().split('\n').at(-1) ?? '') }
  expect(statSync(made.tarball).size).toBeGreaterThan(1_000_000)
  const version = await runToSuccess([process.execPath, join(packageFolder(), 'bin/culvert.js'), 'version'])
  expect(version).toContain('(image@1)')
}

/** Installs the package into an empty folder without the network, starts it, and sends it an event. */
export const installPackage: Recipe = async (code) => {
  const folder = await createTempDir()
  const commands = fillIn(code, { [tarballName]: packed().tarball })
  const installed = join(folder.path, 'lib/node_modules/culvert')
  await expectIngest(commands, folder.path, {
    PATH: `${folder.path}/bin:${nodePath}`,
    npm_config_prefix: folder.path,
  })
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('scripts')
  expect(folderBytes(installed) / 1e6).toBeLessThan(installedMegabytes)
  await expectOldNodeAnswered(join(installed, 'bin/culvert.js'))
  await folder.remove()
}

/** Runs the package without installing it. */
export const runPackage: Recipe = async (code) => {
  const folder = await createTempDir()
  await expectIngest(fillIn(code, { [tarballName]: packed().tarball }), folder.path, {
    PATH: nodePath,
    npm_config_cache: join(folder.path, 'cache'),
  })
  await folder.remove()
}

/** The unit, checked by systemd where it is installed. */
export const systemdUnit: Recipe = async (code, { context }) => {
  const [path = ''] = /deploy\/\S+\.service/.exec(code) ?? []
  expect(existsSync(join(root, path))).toBe(true)
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined)
    skip(context, 'there is no systemd-analyze to check deploy/culvert.service')
  expect(await runToSuccess(['systemd-analyze', 'verify', join(root, path)])).toBe('')
}

/**
 * The last stage of the Dockerfile without Docker: its environment, user, entry point and health check, on a
 * file system that is read-only except for the data.
 */
export const containerImage: Recipe = async (code, { context }) => {
  const [addOwner = '', up] = code.split('\n')
  expect(up).toBe('docker compose up -d')
  const image = readImage()
  const data = await createTempDir()
  const unprivileged = 1000
  const canIsolate =
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['-m', 'true']).status === 0 &&
    existsSync('/usr/bin/setpriv')
  if (!canIsolate) skip(context, 'only root can make a read-only file system for the steps of the Dockerfile')
  chownSync(data.path, unprivileged, unprivileged)
  const port = await findFreePort()
  const env = { PATH: nodePath, ...image.env, CULVERT_DATA_DIR: data.path, PORT: String(port) }
  const isolated = (args: string[]) => [
    'unshare',
    '-m',
    'sh',
    '-c',
    'mount --make-rprivate / && mount --bind "$0" "$0" && mount -o remount,bind,ro / && cd "$0" && ' +
      `exec setpriv --reuid ${unprivileged} --regid ${unprivileged} --clear-groups "$@"`,
    data.path,
    ...args,
  ]
  const early = await runProgram(isolated([...image.entryPoint, ...image.command]), { env })
  expect(early.output).toContain('no account exists yet')
  const subcommand = addOwner.replace('docker compose run --rm culvert ', '').split(' ')
  expect(await runToSuccess(isolated([...image.entryPoint, ...subcommand]), { env })).toContain('/password/')
  const running = await startProgram(isolated([...image.entryPoint, ...image.command]), port, { env })
  await runToSuccess(isolated(image.healthCheck), { env })
  // An orchestrator restarts a container that fails it, which helps neither a lock nor a full disk.
  await whileLocked(data.path, async () => {
    await expect
      .poll(async () => (await fetch(`${running.origin}/readyz`)).status, { timeout: 15_000 })
      .toBe(503)
    await runToSuccess(isolated(image.healthCheck), { env })
  })
  await running.stop()
  expect(await runProgram(isolated(image.healthCheck), { env })).toMatchObject({ exitCode: 1 })
  expect(running.output()).not.toMatch(/EROFS|EACCES|Error:/)
  await data.remove()
}

/** The command of the image writes a backup to the volume, from which the next line copies it. */
export const containerBackup: Recipe = async (code) => {
  const [, words = '', file = ''] =
    /^docker compose exec culvert culvert (backup .*(\/data\/\S+))\ndocker compose cp culvert:\2 \S+$/.exec(
      code,
    ) ?? []
  const [, program = ''] = /ln -s (\S+) \/usr\/local\/bin\/culvert$/m.exec(dockerfile()) ?? []
  const data = await createTempDir()
  const inData = (text: string) => text.replace('/data', data.path)
  const command = join(data.path, 'culvert')
  await symlink(program.replace('/opt/culvert', packageFolder()), command)
  const env = { PATH: nodePath, CULVERT_DATA_DIR: data.path }
  await runToSuccess([command, 'migrate'], { env })
  // The second one replaces the first.
  for (let count = 0; count < 2; count += 1)
    await runToSuccess([command, ...inData(words).split(' ')], { env })
  expect(statSync(inData(file)).size).toBeGreaterThan(100_000)
  await data.remove()
}

const installGuide = join('docs', 'install.md')

/** The files for Compose name settings that exist, pass on `.env`, and mount the volume of the image. */
export const composeFiles: Recipe = async (code) => {
  const files = [...code.matchAll(/-f (\S+)/g)].map(([, name = '']) => name)
  expect(files).toEqual(['compose.yaml', 'compose.postgres.yaml'])
  const texts = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')))
  const settings = texts.flatMap((text) => [...text.matchAll(/^ {6}((?:CULVERT|DATABASE)_\w+):/gm)])
  expect(settings.length).toBeGreaterThan(3)
  const known = await readFile(join(root, '.env.example'), 'utf8')
  for (const [, name = ''] of settings) expect(known).toContain(`${name}=`)
  expect(texts[0]).toMatch(/^ {4}env_file:\n {6}- path: \.env$/m)
  // A container of each process needs its own port of the machine.
  const [, scaled = ''] =
    /set `(\w+)=3000-3002` in `\.env`/.exec(await readFile(join(root, installGuide), 'utf8')) ?? []
  expect(texts[0]).toContain(`'127.0.0.1:\${${scaled}:-3000}:3000'`)
  for (const name of ['HOST', 'PORT', 'CULVERT_DATA_DIR'])
    expect(texts[0]).toContain(`      ${name}: ${readImageVariables()[name]}\n`)
  expect(texts[0]).toContain(`culvert-data:${/^VOLUME (\S+)$/m.exec(dockerfile())?.[1]}\n`)
}

/** The proxy's configuration in front of the running server: pages, events, and a large body. */
export const siteOfNginx: Recipe = async (recipe, world) => {
  const program = findProxyProgram('nginx') ?? skip(world.context, 'there is no nginx')
  await expectSite(world, (toServer) => startNginx(program, { recipe: toServer(recipe) }))
}

/** Both servers get projects, all requests of a project go to one of them, and pages go to both. */
export const routedByProject: Recipe = async (recipe, world) => {
  const program = findProxyProgram('nginx') ?? skip(world.context, 'there is no nginx')
  const servers = await Promise.all([startNamedServer('first'), startNamedServer('second')])
  const [first, second] = servers.map(({ address }) => address)
  const outside = fillIn(recipe, { '10.0.0.1:3000': first ?? '', '10.0.0.2:3000': second ?? '' })
  const proxy = await startNginx(program, { recipe: 'location / { proxy_pass http://culvert; }', outside })
  const ask = async (path: string) => (await fetch(proxy.origin + path)).text()
  try {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const id = at + 1
        const paths = [`/api/${id}/envelope/`, `/api/${id}/store/`, `/api/${id}/envelope/?sentry_key=k`]
        return new Set(await Promise.all(paths.map(ask)))
      }),
    )
    expect(answers.map(({ size }) => size)).toEqual(answers.map(() => 1))
    expect(new Set(answers.flatMap((each) => Array.from(each)))).toEqual(new Set(['first', 'second']))
    for (const path of ['/issues', '/api/0/organizations/']) {
      const pages = await Promise.all(Array.from({ length: 40 }, () => ask(path)))
      expect(new Set(pages)).toEqual(new Set(['first', 'second']))
    }
  } finally {
    await proxy.stop()
    for (const { close } of servers) close()
  }
}

async function startNamedServer(name: string): Promise<{ address: string; close: () => void }> {
  const server = createServer((_, response) => void response.end(name))
  const port = await listenLocally(server)
  return { address: `127.0.0.1:${port}`, close: () => void server.close() }
}

export const siteOfCaddy: Recipe = async (code, world) => {
  const program = findProxyProgram('caddy') ?? skip(world.context, 'there is no Caddy')
  const [, recipe = ''] = /^errors\.example\.com \{\n(.+)\n\}$/s.exec(code) ?? []
  await expectSite(world, (toServer) => startCaddy(program, { recipe: toServer(recipe) }))
}

async function expectSite(
  { server }: DocumentWorld,
  start: (toServer: (recipe: string) => string) => Promise<ReverseProxy>,
): Promise<void> {
  const proxy = await start((recipe) => fillIn(recipe, { '127.0.0.1:3000': new URL(server.origin).host }))
  try {
    const page = await fetch(`${proxy.origin}/login`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('</html>')])
    const { pathname, username } = new URL(await server.dsn(42))
    const event = JSON.stringify({ message: 'through a proxy', extra: { text: 'x'.repeat(500_000) } })
    const url = `${proxy.origin}/api${pathname}/envelope/?sentry_key=${username}`
    const sent = await fetch(url, { method: 'POST', body: `{}\n{"type":"event"}\n${event}` })
    expect(sent.status).toBe(200)
    const large = 'x'.repeat(10_000_000)
    const attachment = await fetch(url, {
      method: 'POST',
      body: `{}\n{"type":"attachment","length":${large.length},"filename":"a.txt"}\n${large}`,
    })
    // Culvert's answer and not the proxy's 413.
    expect(attachment.headers.get('content-type')).toContain('json')
  } finally {
    await proxy.stop()
  }
}

/** Starts Culvert with the commands in a folder, and sends it an event under the DSN that it prints. */
async function expectIngest(commands: string, cwd: string, variables: NodeJS.ProcessEnv): Promise<void> {
  const port = await findFreePort()
  const env = {
    ...plainEnv,
    ...variables,
    PORT: String(port),
    npm_config_offline: 'true',
    npm_config_audit: 'false',
  }
  const running = await startProgram(['bash', '-ec', commands], port, { cwd, detached: true, env })
  const dsn = /http:\/\/([0-9a-f]{32})@/
  // The server may answer before it prints.
  await expect.poll(() => running.output()).toMatch(dsn)
  const [, key = ''] = dsn.exec(running.output()) ?? []
  const sent = await fetch(`${running.origin}/api/2/envelope/?sentry_key=${key}`, {
    method: 'POST',
    body: '{}\n{"type":"event"}\n{"message":"from the package"}',
  })
  expect([sent.status, await sent.text()]).toEqual([200, expect.stringMatching(/^\{"id":"[0-9a-f]{32}"\}$/)])
  expect(await (await fetch(`${running.origin}/login`)).text()).toContain('</html>')
  expect(existsSync(join(cwd, 'data/culvert.db'))).toBe(true)
  await running.stop()
  expect(running.output()).toContain('"msg":"stopped"')
  expect(running.output()).not.toMatch(/"level":(?:40|50|60)|Warning/)
}

/** Answers with a sentence on a Node that cannot run it. */
async function expectOldNodeAnswered(launcher: string): Promise<void> {
  const folder = await createTempDir()
  const preload = join(folder.path, 'old-node.mjs')
  await writeFile(preload, `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`)
  expect(await runProgram([process.execPath, '--import', preload, launcher, 'help'])).toEqual({
    exitCode: 1,
    output: 'Culvert needs Node 24.15 or later; this is 20.20.2.\n',
  })
  await folder.remove()
}

function packed(): { folder: string; tarball: string } {
  if (made === undefined) throw new Error('The block that makes the package did not run before.')
  return made
}

/** The files that the image copies from its first stage. */
function packageFolder(): string {
  const [, copied = ''] = /^COPY --from=build \/source\/(\S+) \/opt\/culvert$/m.exec(dockerfile()) ?? []
  return join(packed().folder, copied)
}

function folderBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function dockerfile(): string {
  return readFileSync(join(root, 'Dockerfile'), 'utf8')
}

/** The beginning of the stage that becomes the image. */
const lastStage = /^FROM .*(?<!AS build)$/m

function buildStage(): string {
  return dockerfile().split(lastStage)[0] ?? ''
}

/** The environment of the image. */
function readImageVariables(): Record<string, string> {
  const [, variables = ''] = /^ENV (.+)$/m.exec(dockerfile()) ?? []
  return Object.fromEntries(variables.split(' ').map((pair) => pair.split('='))) as Record<string, string>
}

/**
 * What the last stage of the Dockerfile runs, with the package of this checkout for its copy in the image.
 */
function readImage() {
  const [, stage = ''] = dockerfile().split(lastStage)
  const list = (instruction: string) => {
    const [, json = '[]'] = new RegExp(`^${instruction}.* ?(\\[.+\\])$`, 'm').exec(stage) ?? []
    return (JSON.parse(json) as string[]).map((part) => part.replace('/opt/culvert', packageFolder()))
  }
  return {
    env: readImageVariables(),
    entryPoint: list('ENTRYPOINT'),
    command: list('CMD'),
    healthCheck: list('HEALTHCHECK'),
  }
}
