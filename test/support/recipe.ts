import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import express, { type Express } from 'express'

const docs = readFileSync(join(import.meta.dirname, '../../docs/tunnel.md'), 'utf8')

/** The code of a section of docs/tunnel.md. Throws if it has none. */
export function readRecipe(heading: string): string {
  const [, code = ''] = new RegExp(`### ${heading}\\n[^]*?\`\`\`\\w*\\n([^]*?)\`\`\``).exec(docs) ?? []
  if (code === '') throw new Error(`docs/tunnel.md has no code under ${heading}`)
  return code
}

/** An Express application with the recipe exactly as documented, for a Culvert at `origin`. */
export function createExpressApp(origin: string): Express {
  const app = express()
  const code = readRecipe('Express')
    .replace("import { request } from 'node:http'\n", '')
    .replace('http://127.0.0.1:3000', origin)
  // oxlint-disable-next-line typescript/no-implied-eval -- runs our own documentation
  const addTo = new Function('app', 'request', code) as (app: Express, send: typeof request) => void
  addTo(app, request)
  return app
}
