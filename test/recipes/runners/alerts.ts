import { expect } from 'vitest'
import { toWebhookBody } from '#server/alerts/channels/webhook-body.ts'
import { fillWebhookTemplate, findTemplateProblem } from '#server/alerts/channels/webhook-template.ts'
import { parseEnv } from '#server/env.ts'
import { alertMessage } from '#test/alert-messages.ts'
import { startFakeUpstream, takeAll } from '#test/fake-upstream.ts'
import { addOwnerIn } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { fillIn, type Recipe } from './recipe.ts'
import { runCommands } from './shell.ts'

/** Environment variables that Culvert starts with, and that set these fields. */
export const environmentOf =
  (expected: object): Recipe =>
  (code) => {
    const lines = code.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2))
    expect(parseEnv(Object.fromEntries(lines) as Record<string, string>)).toMatchObject({
      ok: true,
      env: expected,
    })
  }

/** Commands on destinations, against a receiver on this machine. */
export const destinationCommands: Recipe = async (code) => {
  const [dataDir, receiver] = [await createTempDir(), await startFakeUpstream(takeAll)]
  try {
    await addOwnerIn(dataDir.path)
    const url = `http://${receiver.address}/culvert`
    const commands = fillIn(code, { 'https://hooks.example.com/culvert': url })
    const variables = { CULVERT_ALLOW_PRIVATE_DESTINATIONS: receiver.address }
    const printed = await runCommands(commands, dataDir.path, variables)
    expect(printed).toMatch(/#ops accepted the test: 200[^]*webhook +active +#ops[^]*#ops is deleted/)
    expect(printed).not.toContain(url)
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual([
      expect.stringContaining('"type":"alerts.test"'),
    ])
  } finally {
    await receiver.close()
    await dataDir.remove()
  }
}

/** The body of a webhook, complete. */
export const webhookBody: Recipe = (code) => {
  const body: unknown = JSON.parse(JSON.stringify(toWebhookBody(alertMessage(), 0)))
  expect(body).toEqual(JSON.parse(code))
}

/** A template of a webhook. */
export const webhookTemplate: Recipe = (code) => {
  expect(findTemplateProblem(code)).toBeUndefined()
  expect(JSON.parse(fillWebhookTemplate(code, alertMessage()))).toMatchObject({ msgtype: 'text', events: 12 })
}
