import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { errorEnvelope } from '#test/envelopes.ts'
import { fixtureProject } from '#test/start-server.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { writeFile } from '../support/built-app.ts'
import { sdkFolder } from './programs.ts'
import { type DocumentWorld, fillIn, type Recipe } from './recipe.ts'
import { pathWith, runShell } from './shell.ts'

/** sentry-cli on a release, run in a repository with one commit. */
export const sentryCli: Recipe = async (code, world) => {
  const { server, token, context } = world
  const folder = await sdkFolder(context)
  const repository = await createTempDir()
  const filled = fillIn(code, {
    'https://culvert.example.com': server.origin,
    'SENTRY_ORG=acme': 'SENTRY_ORG=default',
    'SENTRY_PROJECT=shop': `SENTRY_PROJECT=${fixtureProject.name}`,
    'sntryu_…': token,
  })
  const commit = `git init -q && git remote add origin https://git.example/shop.git && touch a && git add a
git -c user.name=Ada -c user.email=ada@example.com commit -qm 'Add a'`
  const printed = await runShell(`${commit}\n${filled}`, {
    cwd: repository.path,
    variables: { PATH: pathWith(folder), HOME: repository.path },
  })
  expect(printed).toContain('Finalized release shop@1.4.0')
  const row = server.services.store.connection
    .prepare(`SELECT released_at FROM releases WHERE version = 'shop@1.4.0' AND project_id = 42`)
    .get()
  expect(row?.['released_at']).toEqual(expect.any(Number))
  await repository.remove()
}

/** The commands that the console shows with a new token. */
export async function expectTokenCommands(code: string, { context }: DocumentWorld): Promise<void> {
  const folder = await sdkFolder(context)
  const home = await createTempDir()
  const printed = await runShell(code, {
    cwd: home.path,
    variables: { PATH: pathWith(folder), HOME: home.path },
  })
  expect(printed).toContain('tool@example.com')
  await home.remove()
}

/** A call of the API with curl, for the only issue; `result` is the expected part of its answer. */
export const curl =
  (result: (answer: unknown) => unknown, expected: unknown, isForIssue = false): Recipe =>
  async (code, { server, token }) => {
    const key = fixtureProject.publicKey
    await fetch(`${server.origin}/api/42/envelope/?sentry_key=${key}`, {
      method: 'POST',
      body: errorEnvelope({ type: 'CurlError', release: 'shop@1.4.0' }),
    })
    const id = server.services.store.connection.prepare('SELECT id FROM issues ORDER BY id DESC').get()?.[
      'id'
    ]
    const filled = fillIn(code, {
      'https://culvert.example.com': server.origin,
      ...(isForIssue && { '4503599627370496': String(id) }),
    })
    const command = filled
      .replace('curl ', 'curl -sS ')
      .replace('/organizations/acme/', '/organizations/default/')
    const printed = await runShell(command, { variables: { TOKEN: token } })
    expect(result(JSON.parse(printed))).toEqual(expected)
  }

/** Named, so that no two of them have the same maps. */
const sourcesOf = (name: string) => ({
  'index.html': '<!doctype html><title>Shop</title><script type="module" src="/src/main.ts"></script>\n',
  'src/main.ts': `function checkout(total: number): never {\n  throw new Error(\`No card for \${total}, ${name}\`)\n}\nsetTimeout(() => checkout(7))\n`,
  'vite.config.ts': `export default { build: { sourcemap: 'hidden' } }\n`,
})

/** A small application, without the output of an earlier build. */
async function createShop(
  name: string,
  world: DocumentWorld,
  files: Record<string, string> = {},
): Promise<string> {
  const folder = join(await sdkFolder(world.context), name)
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries({ ...sourcesOf(name), ...files }))
    writeFile(join(folder, path), text)
  return folder
}

function listMaps(folder: string): string[] {
  return readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.map'),
  )
}

/** The number of maps of a project. */
function countMaps({ server }: DocumentWorld): number {
  const row = server.services.store.connection
    .prepare('SELECT count(*) AS n FROM artifact_bundles WHERE project_id = 42')
    .get()
  return Number(row?.['n'])
}

/** Commands that build and upload; `leavesMaps` if they do not remove the maps themselves. */
export const expectUpload =
  (
    name: string,
    { prepare = '', leavesMaps = false }: { prepare?: string; leavesMaps?: boolean } = {},
  ): Recipe =>
  async (code, world) => {
    const { server, token } = world
    const folder = await createShop(name, world)
    const before = countMaps(world)
    await runShell([prepare, code].join('\n'), {
      cwd: folder,
      variables: {
        HOME: folder,
        SENTRY_URL: server.origin,
        SENTRY_AUTH_TOKEN: token,
        SENTRY_ORG: 'default',
        SENTRY_PROJECT: fixtureProject.name,
      },
    })
    expect(countMaps(world)).toBeGreaterThan(before)
    expect(listMaps(folder)).toHaveLength(leavesMaps ? 1 : 0)
  }

/** Replaces the documents' address, organization, project and token. */
export const withProject =
  (recipe: Recipe, origin = 'https://culvert.example.com'): Recipe =>
  (code, world) => {
    const filled = fillIn(code, { [origin]: world.server.origin, acme: 'default', shop: fixtureProject.name })
    return recipe(filled.replace('sntryu_…', world.token), world)
  }

/** A configuration of Vite that uploads with each build. */
export const expectPluginUpload =
  (name: string): Recipe =>
  async (code, world) => {
    const folder = await createShop(name, world, { 'vite.config.ts': code })
    const before = countMaps(world)
    await runShell('npx vite build', {
      cwd: folder,
      variables: { SENTRY_AUTH_TOKEN: world.token, HOME: folder },
    })
    expect(countMaps(world)).toBeGreaterThan(before)
    expect(listMaps(folder)).toEqual([])
  }
