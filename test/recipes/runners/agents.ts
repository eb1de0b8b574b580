import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as v from 'valibot'
import { expect } from 'vitest'
import { fillIn, type Recipe } from './recipe.ts'
import { runShell } from './shell.ts'

const settingsSchema = v.object({
  mcpServers: v.object({
    culvert: v.object({
      type: v.literal('http'),
      url: v.string(),
      headers: v.record(v.string(), v.string()),
    }),
  }),
})

/** The configuration of a client, which then lists the tools. */
export const mcpClient: Recipe = async (code, { server, token }) => {
  const filled = fillIn(code, { 'https://culvert.example.com': server.origin, 'sntryu_…': token })
  const { url, headers } = v.parse(settingsSchema, JSON.parse(filled)).mcpServers.culvert
  const client = new Client({ name: 'recipe', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('get_issue')
  await client.close()
}

/** A request with curl, which prints the tools. */
export const listedTools: Recipe = async (code, { server, token }) => {
  const filled = fillIn(code, { 'https://culvert.example.com': server.origin })
  const printed = await runShell(filled.replace('curl ', 'curl -sS '), { variables: { TOKEN: token } })
  expect(printed).toMatch(/^data: \{"result":\{"tools":\[/m)
  expect(printed).toContain('"name":"comment_issue"')
}
