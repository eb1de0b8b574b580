import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { parseSearch } from '#search/parse-search.ts'
import { parseEnv } from '#server/env.ts'
import { parameterize } from '#server/group/mechanisms/v1/parameterize.ts'
import { parseFingerprintRules } from '#server/group/rules/fingerprint-rules.ts'
import { parseStackTraceRules } from '#server/group/rules/stack-trace-rules.ts'
import { parseOwnershipRules } from '#source-links/owners/ownership-rules.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { startServerProcess } from '#test/server-process.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { whileLocked } from '../support/locked-database.ts'
import { fillIn, type Recipe } from './recipe.ts'
import { runCommands } from './shell.ts'

/** A line that the server prints at its start, with another port and token. */
export const printedAtStart: Recipe = async (code) => {
  const dataDir = await createTempDir()
  const server = await startServerProcess({ dataDir: dataDir.path, args: [] })
  const pattern = code
    .replaceAll(/[?.]/g, '\\$&')
    .replace('http://127\\.0\\.0\\.1:3000', server.origin)
    .replace('…', '[\\w-]+')
  await expect.poll(server.stderr).toMatch(new RegExp(`^${pattern}$`, 'm'))
  await server.end('SIGTERM')
  await dataDir.remove()
}

/** A message, and below it the result of parameterization. */
export const groupedMessage: Recipe = (code) => {
  const [message = '', ...rest] = code.split('\n')
  expect([parameterize(message)]).toEqual(rest)
}

export const stackTraceRules: Recipe = (code) => {
  const { rules, problems } = parseStackTraceRules(code)
  expect(problems).toEqual([])
  expect(rules).toHaveLength(code.split('\n').filter((line) => !line.startsWith('#')).length)
}

export const fingerprintRules: Recipe = (code) => {
  const { rules, problems } = parseFingerprintRules(code)
  expect(problems).toEqual([])
  expect(rules).toHaveLength(code.split('\n').length)
}

export const ownershipRules: Recipe = (code) => {
  const { lines, problems } = parseOwnershipRules(code)
  expect(problems).toEqual([])
  expect(lines).toHaveLength(code.split('\n').length)
}

/** A search whose every part is valid in the console and the API. */
export const search: Recipe = async (code, { server, token }) => {
  expect(parseSearch(code).problems).toEqual([])
  const query = new URLSearchParams({ query: code })
  const answer = await fetch(`${server.origin}/api/0/organizations/default/issues/?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(200)
}

/** The scrubbed event with the secret of the document, under the project's own field name. */
export const scrubbedEvent: Recipe = async (code, { server, cookie }) => {
  await runCommands('npm run -s culvert -- scrubbing set 42 --field pin', server.services.env.dataDir)
  await server.services.projectKeys.refresh()
  const eventId = randomEventId()
  const dsn = new URL(await server.dsn(42))
  await fetch(`${server.origin}/api/42/envelope/?sentry_key=${dsn.username}`, {
    method: 'POST',
    body: envelopeOf({ event_id: eventId }, ['event', { message: 'A wrong pin', extra: { pin: '1234' } }]),
  })
  const stored = await fetch(`${server.origin}/events/${eventId}/json`, { headers: { cookie } })
  expect(await stored.json()).toMatchObject(JSON.parse(code) as object)
}

/** The answer of /readyz while another program has the database locked. */
export const notReady: Recipe = async (code, { server }) => {
  await whileLocked(server.services.env.dataDir, async () => {
    await expect
      .poll(async () => (await fetch(`${server.origin}/readyz`)).text(), { timeout: 15_000 })
      .toBe(code)
  })
}

/** Prometheus' configuration: the token is sent as configured, and Culvert answers metrics. */
export const prometheus: Recipe = async (code) => {
  const filled = fillIn(code, { 'the-token': randomBytes(16).toString('hex') })
  const [, token = ''] = /authorization: \{ credentials: (\S+) \}/.exec(filled) ?? []
  const dataDir = await createTempDir()
  const server = await startServerProcess({
    dataDir: dataDir.path,
    args: [],
    variables: { CULVERT_METRICS_TOKEN: token },
  })
  // Prometheus' default path, and its default type for these credentials.
  const answer = await fetch(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('culvert_items_total')])
  await server.end('SIGTERM')
  await dataDir.remove()
}

/**
 * Settings of the server: it accepts each one, and rejects an invalid value, which shows that it reads the
 * variable.
 */
export const settings: Recipe = (code) => {
  for (const line of code.split('\n')) {
    const [, name = '', value = ''] = /^(CULVERT_\w+)=(\S+)/.exec(line) ?? []
    expect([line, parseEnv({ [name]: value }).ok]).toEqual([line, true])
    expect([name, parseEnv({ [name]: 'nonsense, or not' }).ok]).toEqual([name, false])
  }
}
