import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, type TestContext } from 'vitest'
import { findFreePort, serveLocally } from '#test/listen-locally.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { writeFile } from '../support/built-app.ts'
import { install, plainEnv } from '../support/fixture-install.ts'
import { readGuide, stepsOf } from '../support/guides.ts'
import { runProgram, runToSuccess, startProgram } from '../support/run-program.ts'
import { skip } from '../support/skip.ts'
import { type DocumentWorld, fillIn, type Recipe } from './recipe.ts'

/** The DSN in the documents. */
const writtenDsn = 'https://KEY@culvert.example.com/2'

/** The folder with the SDKs; skips the test if they cannot be downloaded. */
export async function sdkFolder(context: TestContext): Promise<string> {
  const installed = await install('vite')
  return installed.ok ? installed.folder : skip(context, installed.reason)
}

/** Runs a program with Node to its end, in the folder with the SDKs, and returns its output. */
export async function runScript(
  code: string,
  { context }: DocumentWorld,
  { name, args = [] }: { name: string; args?: string[] },
): Promise<{ exitCode: number; output: string }> {
  const folder = await sdkFolder(context)
  const path = join(folder, 'scripts', name)
  writeFile(path, code)
  return runProgram([process.execPath, ...args, path], { cwd: join(folder, 'scripts'), env: plainEnv })
}

/** The exception values of a project's events, newest last. */
export async function exceptionValues(
  { server, cookie }: DocumentWorld,
  projectId: number,
): Promise<string[]> {
  const ids = await storedEventIds(server.services.store, projectId)
  const events = await Promise.all(
    ids.map(async (id) => {
      const answer = await fetch(`${server.origin}/events/${id}/json`, { headers: { cookie } })
      return (await answer.json()) as { exception?: { values: { value?: string }[] } }
    }),
  )
  return events.map(({ exception }) => exception?.values.at(-1)?.value ?? '')
}

/** The README's program with `@sentry/node`. */
export const readmeProgram: Recipe = async (code, world) => {
  const dsn = await world.server.dsn(2)
  const { exitCode, output } = await runScript(fillIn(code, { 'http://KEY@127.0.0.1:3000/2': dsn }), world, {
    name: 'readme.mjs',
  })
  expect([exitCode, output]).toEqual([0, ''])
  await expect.poll(() => exceptionValues(world, 2)).toContain('First light')
}

/** The console's guide for Node.js: the SDK in a separate file, loaded before the server. */
export async function runNodeGuide(world: DocumentWorld): Promise<void> {
  const { files, start = '', tryIt = '' } = readGuide('node', await world.server.dsn(42))
  const folder = await sdkFolder(world.context)
  for (const [path, code] of Object.entries({ ...files, 'server.mjs': tryIt })) {
    writeFile(join(folder, 'node-guide', path), code)
  }
  const { output } = await runProgram(start.split(' '), { cwd: join(folder, 'node-guide'), env: plainEnv })
  expect(output).toContain('First event from Node.js')
  await expect.poll(() => exceptionValues(world, 42)).toContain('First event from Node.js')
}

/** A file of a document that equals a step of a guide, which is built and run as an application. */
export const fileOfGuide =
  (id: string, path: string): Recipe =>
  (code) => {
    expect(code).toBe(readGuide(id, writtenDsn).files[path])
  }

/** An error handler of Express that shows the digest. */
export const expressHandler: Recipe = async (code, world) => {
  const folder = await sdkFolder(world.context)
  const path = join(folder, 'scripts/express.mjs')
  writeFile(
    path,
    `import * as Sentry from '@sentry/node'
import express from 'express'
Sentry.init({ dsn: '${await world.server.dsn(42)}' })
const app = express()
app.get('/', () => { throw new Error('Broken behind Express') })
${code}
app.listen(process.env.PORT, '127.0.0.1')`,
  )
  const port = await findFreePort()
  const running = await startProgram([process.execPath, path], port, {
    env: { ...plainEnv, PORT: String(port) },
  })
  const shown = await (await fetch(`${running.origin}/`)).text()
  await expectDigest(shown, 'Broken behind Express', world)
  await running.stop()
}

/** The shown digest leads to the event with this message. */
async function expectDigest(shown: string, value: string, { server, cookie }: DocumentWorld): Promise<void> {
  const [, digest = ''] = /Digest: ([0-9a-f]{12})/.exec(shown) ?? []
  expect(digest).toHaveLength(12)
  const lookUp = async () => {
    const answer = await fetch(`${server.origin}/digest/${digest}`, {
      headers: { accept: 'text/html', cookie },
    })
    return new URL(answer.url).pathname.startsWith('/events/') ? answer.text() : answer.url
  }
  // The SDK sends the event after the page.
  await expect.poll(lookUp, { interval: 200 }).toContain(value)
}

/** A Python with the SDK, which Debian has as a package. */
async function findPython(context: TestContext): Promise<string> {
  for (const program of ['python3', '/usr/bin/python3']) {
    const { exitCode } = await runProgram([program, '-c', 'import sentry_sdk'], { env: plainEnv })
    if (exitCode === 0) return program
  }
  return skip(context, 'there is no Python with sentry_sdk (Debian: apt-get install python3-sentry-sdk)')
}

/** The console's guide for Python: its first lines, then an error. */
export async function runPythonGuide(world: DocumentWorld): Promise<void> {
  const python = await findPython(world.context)
  const [shell, first, last, ...others] = stepsOf('python', await world.server.dsn(42))
  expect([shell?.code, others]).toEqual(['pip install --upgrade sentry-sdk', []])
  const { output } = await runProgram([python, '-c', `${first?.code}\n${last?.code}`], { env: plainEnv })
  expect(output).toContain('First event from Python')
  await expect.poll(() => exceptionValues(world, 42)).toContain('First event from Python')
}

/** A `try` in Python that prints the digest, after the guide's first lines. */
export const pythonDigest: Recipe = async (code, world) => {
  const python = await findPython(world.context)
  const [, first] = stepsOf('python', await world.server.dsn(42))
  const program = `${first?.code}
def work():
    raise RuntimeError("Broken in Python")
${code}
assert sentry_sdk.last_event_id() == event_id`
  await expectDigest(
    await runToSuccess([python, '-c', program], { env: plainEnv }),
    'Broken in Python',
    world,
  )
}

/** Code with a scope of the SDK, run for three errors of different kinds; counts the resulting issues. */
const fingerprints =
  (wrap: (code: string) => string, issueCount: number): Recipe =>
  async (code, world) => {
    const { server } = world
    const countIssues = () =>
      Number(
        server.services.store.connection
          .prepare('SELECT count(*) AS n FROM issues WHERE project_id = 43')
          .get()?.['n'],
      )
    const before = countIssues()
    const { exitCode, output } = await runScript(
      `import * as Sentry from '@sentry/node'
Sentry.init({ dsn: '${await server.dsn(43)}' })
const errors = [new TypeError('one'), new RangeError('two'), new Error('three')]
for (const [index, error] of errors.entries()) {
${wrap(code)}
}`,
      world,
      { name: 'fingerprint.mjs' },
    )
    expect([exitCode, output]).toEqual([0, ''])
    await expect.poll(countIssues).toBe(before + issueCount)
  }

export const oneFingerprint = fingerprints((code) => code, 1)

/** The same error at the same location in three shops. */
export const fingerprintPerShop = fingerprints(
  (code) => `const shop = { id: index }
const same = errors[0]
delete same.__sentry_captured__
Sentry.withScope((scope) => {
${code}
Sentry.captureException(same)
})`,
  3,
)

/** A page with the policy of the document, and a violation of it. */
export const securityPolicy: Recipe = async (code, world) => {
  const { server, browser } = world
  const [, policy = ''] = /^Content-Security-Policy: (.+)$/.exec(code) ?? []
  const dsn = new URL(await server.dsn(42))
  const filled = fillIn(policy, {
    'https://culvert.example/api/2/': `${dsn.origin}/api/42/`,
    KEY: dsn.username,
  })
  const pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('content-security-policy', filled)
    response.end('<!doctype html><title>Shop</title><script src="https://cdn.example/a.js"></script>')
  })
  const page = await serveLocally(pages)
  const context = await browser.newContext()
  await (await context.newPage()).goto(page.origin)
  const readTitles = () =>
    server.services.store.connection
      .prepare('SELECT title FROM issues WHERE project_id = 42')
      .all()
      .map((row) => String(row['title']))
  await expect.poll(readTitles).toContain("Blocked 'script' from 'cdn.example'")
  await context.close()
  await page.close()
}
