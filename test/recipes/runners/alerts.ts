import { expect } from 'vitest'
import { toWebhookBody } from '#server/alerts/channels/webhook-body.ts'
import { fillWebhookTemplate, findTemplateProblem } from '#server/alerts/channels/webhook-template.ts'
import { parseEnv } from '#server/env.ts'
import { alertMessage } from '../../support/alert-messages.ts'
import type { Recipe } from './recipe.ts'

/** Lines of an environment that Culvert starts with, and that sets these fields. */
export const environmentOf =
  (expected: object): Recipe =>
  (code) => {
    const lines = code.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2))
    expect(parseEnv(Object.fromEntries(lines) as Record<string, string>)).toMatchObject({
      ok: true,
      env: expected,
    })
  }

/** The body of a webhook, whole. */
export const webhookBody: Recipe = (code) => {
  const body: unknown = JSON.parse(JSON.stringify(toWebhookBody(alertMessage(), 0)))
  expect(body).toEqual(JSON.parse(code))
}

/** A template of a webhook. */
export const webhookTemplate: Recipe = (code) => {
  expect(findTemplateProblem(code)).toBeUndefined()
  expect(JSON.parse(fillWebhookTemplate(code, alertMessage()))).toMatchObject({ msgtype: 'text', events: 12 })
}
