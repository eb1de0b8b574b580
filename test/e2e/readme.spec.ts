import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, shareCulvert } from './support/test.ts'

const culvert = shareCulvert()

/** The README's only block of shell commands for the reader to paste: how to send the first event. */
function readCommand(): string {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(?<code>[\s\S]*?)^```/gm)]
  expect(blocks).toHaveLength(1)
  return blocks[0]?.groups?.['code'] ?? ''
}

test("the README's curl command works as it stands, and its issue is there", async ({ page }) => {
  const project = await culvert().createProject('First steps')
  const { username, origin } = new URL(project.dsn)
  const env = { PATH: process.env['PATH'], ORIGIN: origin, PROJECT: String(project.id), KEY: username }
  const { stdout } = await promisify(execFile)('bash', ['-c', readCommand()], { env })
  expect(JSON.parse(stdout)).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) })

  await page.goto(`${culvert().origin}/issues`)
  await expect(page.getByRole('link', { name: 'The stream is under the road' })).toBeVisible()
})
