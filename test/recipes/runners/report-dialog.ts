import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { serveLocally } from '#test/listen-locally.ts'
import { otherProject } from '#test/start-server.ts'
import { bundle } from '../../e2e/support/browser-app.ts'
import { writeFile } from '../support/built-app.ts'
import { readBlocks } from '../support/documents.ts'
import { sdkFolder } from './programs.ts'
import { type DocumentWorld, fillIn, type Recipe } from './recipe.ts'

/** Not 42, for which the documents' commands restrict the allowed origins. */
const projectId = otherProject.id

/** A page with the SDK set up as documented fails; a visitor sends a report in the dialog. */
async function expectReport(code: string, world: DocumentWorld, policy?: string): Promise<void> {
  const { server, browser, context } = world
  const folder = await sdkFolder(context)
  const entry = join(folder, 'scripts/report-dialog.js')
  const dsn = await server.dsn(projectId)
  writeFile(
    entry,
    `${fillIn(code, { 'https://KEY@culvert.example/2': dsn })}\nsetTimeout(() => { throw new Error('On fire') })`,
  )
  const script = await bundle(entry)
  const pages = createServer((request, response) => {
    const isScript = request.url === '/shop.js'
    if (policy !== undefined) {
      response.setHeader(
        'content-security-policy',
        fillIn(policy, { 'https://culvert.example': server.origin }),
      )
    }
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Shop</title><script src="/shop.js"></script>')
  })
  const page = await serveLocally(pages)
  const browserContext = await browser.newContext()
  const opened = await browserContext.newPage()
  await opened.goto(page.origin)
  const dialog = opened.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Jane')
  await dialog.getByLabel('Email').fill('jane@shop.example')
  const comments = `It broke, ${policy === undefined ? 'without' : 'with'} a policy`
  await dialog.getByRole('textbox').last().fill(comments)
  await opened.keyboard.press('Tab')
  await opened.keyboard.press('Enter')
  await dialog.getByText('Your report has been sent').waitFor()
  expect(titlesOf(world)).toContainEqual(expect.stringContaining(comments))
  await browserContext.close()
  await page.close()
}

function titlesOf({ server }: DocumentWorld): string[] {
  return server.services.store.connection
    .prepare('SELECT title, subtitle FROM issues WHERE project_id = ?')
    .all(projectId)
    .map((row) => `${String(row['title'])} ${String(row['subtitle'])}`)
}

export const reportDialog: Recipe = (code, world) => expectReport(code, world)

/** The document's program on a page with its policy. */
export const reportDialogPolicy: Recipe = async (code, world) => {
  const [, policy = ''] = /^Content-Security-Policy: (.+)$/.exec(code) ?? []
  const [program] = readBlocks('docs/report-dialog.md')
  await expectReport(program?.code ?? '', world, policy)
}

/** A report that a client posts without the dialog. */
export const postedReport: Recipe = async (code, world) => {
  const filled = fillIn(code, {
    'dsn=DSN': `dsn=${encodeURIComponent(await world.server.dsn(projectId))}`,
    'eventId=ID': `eventId=${'a'.repeat(32)}`,
  })
  const [head = '', body = ''] = filled.split('\n\n')
  const [, path = '', type = ''] = /^POST (\S+)\nContent-Type: (\S+)$/.exec(head) ?? []
  const answer = await fetch(world.server.origin + path, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  })
  expect(answer.status).toBe(200)
  expect(titlesOf(world)).toContainEqual(expect.stringContaining('It broke'))
}
