import { join } from 'node:path'
import { expect } from 'vitest'
import { writeFile } from '../support/built-app.ts'
import { readBlocks } from '../support/documents.ts'
import { install, plainEnv } from '../support/fixture-install.ts'
import { runProgram } from '../support/run-program.ts'
import { skip } from '../support/skip.ts'
import { fillIn, type Recipe } from './recipe.ts'

const variablesBlock = 'docs/traces.md, Send traces'

/** The variables of OpenTelemetry: those that the program is run with. */
export const openTelemetryVariables: Recipe = (code) => {
  expect(code).toBe(readVariables())
}

/** A program with OpenTelemetry's SDK for Node.js, whose trace is shown; in both encodings. */
export const openTelemetryProgram: Recipe = async (code, { server, cookie, context }) => {
  const installed = await install('traces')
  const folder = installed.ok ? installed.folder : skip(context, installed.reason)
  const { origin, username } = new URL(await server.dsn(42))
  writeFile(join(folder, 'traced.mjs'), fillIn(code, { 'https://culvert.example.com': origin }))
  const address = {
    'https://culvert.example.com': origin,
    PROJECT: '42',
    'sentry_key=KEY': `sentry_key=${username}`,
  }
  const variables = fillIn(readVariables(), address)
  for (const protocol of ['http/protobuf', 'http/json']) {
    const shell = `set -a\n${variables}\nexec ${process.execPath} traced.mjs`
    const env = { ...plainEnv, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }
    const { exitCode, output } = await runProgram(['bash', '-c', shell], { cwd: folder, env })
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/\/traces\/[0-9a-f]{32}\n$/)])
    const page = await fetch(output.trim(), { headers: { accept: 'text/html', cookie } })
    expect(page.status).toBe(200)
    const html = await page.text()
    for (const shown of [
      'GET /orders',
      'SELECT id FROM orders WHERE shop_id = $1',
      'shop@1.0.0',
      'production',
    ])
      expect(html, `${protocol}: ${shown}`).toContain(shown)
  }
}

function readVariables(): string {
  return readBlocks('docs/traces.md').find(({ name }) => name === variablesBlock)?.code ?? ''
}
