import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { sdkSetupGuides } from '#components/project/sdk-snippets.ts'
import { sourceMapSteps } from '#components/project/source-map-snippets.ts'
import { tokenCommands } from '#components/settings/token-commands.ts'
import { addToken } from '#test/api-server.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'
import { commands } from '../../bin/commands/commands.ts'
import { expectPluginUpload, expectTokenCommands, expectUpload } from './runners/api-tools.ts'
import { runCurlGuide } from './runners/first-event.ts'
import { runNodeGuide, runPythonGuide } from './runners/programs.ts'
import type { DocumentWorld } from './runners/recipe.ts'
import { recipes } from './runners/registry.ts'
import { listCommands, listDocuments, readBlocks, root } from './support/documents.ts'
import { installAll } from './support/fixture-install.ts'
import { launchBrowser } from './support/recipe-world.ts'

let world: Omit<DocumentWorld, 'context'>

beforeAll(async () => {
  await installAll()
  const server = await startConsole()
  await addUser(server.services.store)
  world = {
    server,
    cookie: await cookieOf(server.origin),
    token: await addToken(server),
    browser: await launchBrowser(),
  }
})
afterAll(async () => {
  await world.browser.close()
  await world.server.stop()
})

const documents = listDocuments()
const blocks = documents.flatMap(readBlocks)

/** The package is built and installed for these blocks, which uses half a minute of processor time. */
const isLong = ({ name }: { name: string }) => /^docs\/install\.md, (?:npm package|Container)/.test(name)

describe('a block of code in a document', () => {
  describe.for([
    { tags: [], chosen: blocks.filter((block) => !isLong(block)) },
    { tags: ['full'], chosen: blocks.filter(isLong) },
  ])('works as documented:', ({ tags, chosen }) => {
    // Some of them build the application twice.
    it.for(chosen)('$name', { timeout: 480_000, tags }, async ({ name, code }, context) => {
      const expectRecipe = recipes[name]
      if (expectRecipe === undefined)
        throw new Error(`No test runs the block "${name}". Add it to test/recipes/runners/registry.ts.`)
      await expectRecipe(code, { ...world, context })
    })
  })

  it('exists for each recipe', () => {
    const names = new Set(blocks.map(({ name }) => name))
    expect(Object.keys(recipes).filter((name) => !names.has(name))).toEqual([])
  })
})

describe('a command in the text of a document', () => {
  const mentioned = documents.flatMap(listCommands)

  it('is written so that it can be copied', () => {
    expect(mentioned.length).toBeGreaterThan(5)
    expect(
      mentioned.filter(({ code }) => code.startsWith('culvert ') || code.startsWith('npm run culvert')),
    ).toEqual([])
  })

  it('exists', () => {
    const { scripts, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: object
      devDependencies: object
    }
    const known = new Set([...Object.keys(scripts), ...Object.keys(devDependencies), 'ci', 'install'])
    const unknown = mentioned.filter(({ code }) => {
      const [, first = '', second = ''] = /^npm run -s culvert -- (\S+)(?: (\S+))?/.exec(code) ?? []
      if (first !== '') return !(first in commands) && !(`${first} ${second}` in commands)
      const [, name = ''] = /^(?:npm run|npm|npx) ([\w:]+)/.exec(code) ?? []
      return !known.has(name)
    })
    expect(unknown).toEqual([])
  })
})

/** The other guides are built as applications, in the test files of this folder. */
const programs = { node: runNodeGuide, python: runPythonGuide, curl: runCurlGuide }
const applications = ['browser', 'react', 'vue', 'start', 'next']

describe('a set-up guide of the console', () => {
  it.for(Object.entries(programs))('causes an event: %s', async ([, expectEvent], context: TestContext) => {
    await expectEvent({ ...world, context })
  })

  it('is run by a test', () => {
    const ids = sdkSetupGuides('https://KEY@culvert.example.com/2').map(({ id }) => id)
    expect([...Object.keys(programs), ...applications].toSorted()).toEqual(ids.toSorted())
  })
})

describe('commands that the console shows', () => {
  it('upload source maps', async (context) => {
    const [shell, config] = sourceMapSteps({
      origin: world.server.origin,
      organizationSlug: 'default',
      projectSlug: fixtureProject.name,
    })
    const code = (shell?.code ?? '').replace('SENTRY_AUTH_TOKEN=…', `SENTRY_AUTH_TOKEN=${world.token}`)
    await expectUpload('screen-commands', { prepare: 'npx vite build', leavesMaps: true })(code, {
      ...world,
      context,
    })
    await expectPluginUpload('screen-plugin')(config?.code ?? '', { ...world, context })
  })

  it('test a new token', async (context) => {
    const code = tokenCommands({
      origin: world.server.origin,
      organizationSlug: 'default',
      token: world.token,
    })
    await expectTokenCommands(code, { ...world, context })
  })
})
