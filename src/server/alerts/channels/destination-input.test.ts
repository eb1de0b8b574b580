import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { channels } from './channels.ts'
import { parseDestination } from './destination-input.ts'
import { findTemplateProblem } from './webhook-template.ts'

describe('parseDestination', () => {
  it('separates secrets from other settings, as JSON', () => {
    expect(
      parseDestination('slack-bot', { token: ' xoxb-1-2 ', channel: 'C0123456789', apiUrl: '' }),
    ).toEqual({
      ok: true,
      settings: { channel: 'C0123456789' },
      secret: '{"token":"xoxb-1-2"}',
    })
  })

  it('keeps a secret whose field is left empty', () => {
    const result = parseDestination(
      'slack-bot',
      { token: '', channel: 'C0000000001' },
      { settings: { channel: 'C0000000002' }, secret: '{"token":"xoxb-1-2"}' },
    )
    expect(result).toEqual({ ok: true, settings: { channel: 'C0000000001' }, secret: '{"token":"xoxb-1-2"}' })
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['telegram', { apiUrl: 'https://bots.example', chatId: '-100' }, { token: `123456:${'A'.repeat(24)}` }],
    ['slack-bot', { apiUrl: 'https://slack.example/api', channel: 'C0000000001' }, { token: 'xoxb-1-2' }],
  ])('asks for the secret of %s again if the address has another host', (kind, settings, secrets) => {
    const [url = ''] = Object.keys(settings)
    const secret = JSON.stringify(secrets)
    const change = (address: string, entered = {}) =>
      parseDestination(kind, { ...settings, [url]: address, ...entered }, { settings, secret })
    const [field = ''] = Object.keys(secrets)
    const again = { ok: false, problems: { [field]: 'Enter it again: it was entered for another address.' } }
    expect(change('https://evil.example/')).toEqual(again)
    expect(change(`${settings[url] ?? ''}/`)).toMatchObject({ ok: true, secret })
    expect(change('https://evil.example/', secrets)).toMatchObject({ ok: true, secret })
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['ntfy', { serverUrl: 'https://ntfy.example', topic: 'ops' }, { token: 'tk_abcdef' }],
    ['alertmanager', { url: 'https://alerts.example:9093/am' }, { authorization: 'Bearer abc' }],
  ])('drops the optional secret of %s if the address has another host', (kind, settings, secrets) => {
    const [url = ''] = Object.keys(settings)
    const secret = JSON.stringify(secrets)
    const change = (address: string, entered = {}) =>
      parseDestination(kind, { ...settings, [url]: address, ...entered }, { settings, secret })
    const moved = { ...settings, [url]: 'https://evil.example/' }
    expect(change('https://evil.example/')).toEqual({ ok: true, settings: moved })
    expect(change('https://evil.example/', secrets)).toEqual({ ok: true, settings: moved, secret })
    expect(change(`${settings[url] ?? ''}/`)).toMatchObject({ ok: true, secret })
  })

  it.each<[string, string, Record<string, string>, Record<string, string>]>([
    ['ntfy', 'serverUrl', { topic: 'ops' }, { token: 'tk_abcdef' }],
    ['slack-bot', 'apiUrl', { channel: 'C0000000001' }, { token: 'xoxb-1-2' }],
    ['telegram', 'apiUrl', { chatId: '-100' }, { token: `123456:${'A'.repeat(24)}` }],
    ['pagerduty', 'apiUrl', {}, { routingKey: 'a'.repeat(32) }],
  ])(
    'keeps the secret of %s if the default of %s is entered or left out',
    (...[kind, url, settings, secrets]) => {
      const secret = JSON.stringify(secrets)
      const defaultUrl = channels
        .find((channel) => channel.kind === kind)
        ?.fields.find(({ name }) => name === url)?.defaultUrl
      const full = { ...settings, [url]: defaultUrl ?? '' }
      expect(parseDestination(kind, full, { settings, secret })).toEqual({ ok: true, settings: full, secret })
      expect(parseDestination(kind, settings, { settings: full, secret })).toEqual({
        ok: true,
        settings,
        secret,
      })
    },
  )

  it('ignores fields of other channels', () => {
    expect(parseDestination('email', { to: 'ops@example.com', admin: '1' })).toEqual({
      ok: true,
      settings: { to: 'ops@example.com' },
    })
  })

  it.each<[string, Record<string, string>, string, RegExp]>([
    ['pigeon', {}, 'kind', /^Choose a channel/],
    ['email', { to: 'ops@example.com, boss@example.com' }, 'to', /^Enter one email address/],
    ['slack-webhook', { url: 'hooks.slack.com' }, 'url', /begins with https/],
    ['slack-webhook', { url: 'https://hooks.slack.com/triggers/T/1/x' }, 'url', /incoming webhook/],
    ['slack-webhook', { url: 'https://user:password@hooks.slack.com/services/x' }, 'url', /no user name/],
    [
      'slack-webhook',
      { url: 'https://hooks.slack.com\\@evil.example/services/x' },
      'url',
      /begins with https/,
    ],
    ['slack-webhook', { url: 'file:///etc/passwd' }, 'url', /begins with https/],
    [
      'slack-webhook',
      { url: `https://hooks.slack.com/${'x'.repeat(2_000)}` },
      'url',
      /at most 2000 characters/,
    ],
    ['slack-bot', { token: 'xoxb-1', channel: '#ops' }, 'channel', /ID of a channel/],
    ['discord', { url: 'https://discord.com/api/webhooks/1234/abc/slack' }, 'url', /URL of a webhook/],
    ['teams', { url: 'https://example.webhook.office.com/webhookb2/x' }, 'url', /Microsoft has closed/],
    ['telegram', { token: '1', chatId: '-100' }, 'token', /BotFather/],
    [
      'telegram',
      { token: `123456:${'A'.repeat(24)}`, chatId: '@news', topicId: '5' },
      'topicId',
      /Channels have no topics/,
    ],
    ['ntfy', { topic: 'a/b' }, 'topic', /letters, digits/],
    ['pagerduty', { routingKey: 'short' }, 'routingKey', /32 letters and digits/],
    [
      'alertmanager',
      { url: 'https://a.example', standingMinutes: '0' },
      'standingMinutes',
      /number of minutes/,
    ],
    [
      'alertmanager',
      { url: 'https://a.example', authorization: 'Bearer a\r\nHost: b' },
      'authorization',
      /"Bearer" or "Basic"/,
    ],
    ['webhook', { url: 'https://a.example', secret: 'whsec_c2hvcnQ=' }, 'secret', /24 to 64 random bytes/],
    [
      'webhook',
      { url: 'https://a.example', template: '{"text": {{title}}}' },
      'template',
      /^The template is not valid JSON: .*Placeholders must be inside strings/,
    ],
    ['webhook', { url: 'https://a.example', template: '"{{title}}"' }, 'template', /object or array/],
    [
      'webhook',
      { url: 'https://a.example', template: '{"text": "{{titel}}"}' },
      'template',
      /^Unknown placeholder \{\{titel\}\}\. Available: headline, /,
    ],
    [
      'webhook',
      { url: 'https://a.example', template: `{"a": "${'x'.repeat(8_000)}"}` },
      'template',
      /more than 8000 characters/,
    ],
    [
      'webhook',
      { url: 'https://a.example', template: '{"a": "{{constructor}}"}' },
      'template',
      /^Unknown placeholder/,
    ],
  ])('explains the problem of %s %j', (...[kind, values, field, message]) => {
    const result = parseDestination(kind, values)
    if (result.ok) throw new Error('accepted')
    expect(Object.keys(result.problems)).toContain(field)
    expect(result.problems[field]).toMatch(message)
  })

  it('reports each missing field', () => {
    for (const { kind, fields } of channels) {
      const result = parseDestination(kind, {})
      if (result.ok) throw new Error(`${kind} accepted nothing`)
      const needed = fields.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name)
      expect(Object.keys(result.problems)).toEqual(needed)
      for (const problem of Object.values(result.problems)) expect(problem).toMatch(/^Enter /)
    }
  })
})

describe('a channel', () => {
  it('has a name, help, and labelled fields', () => {
    expect(new Set(channels.map(({ kind }) => kind)).size).toBe(channels.length)
    for (const { name, help, fields } of channels) {
      expect(name).not.toBe('')
      expect(help.length).toBeGreaterThan(20)
      expect(new Set(fields.map(({ label }) => label)).size).toBe(fields.length)
    }
  })
})

describe('the page about alerts', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/alerts.md'), 'utf8')

  it.each(channels.map(({ name, fields }) => ({ name, fields })))(
    'has the settings of $name',
    ({ name, fields }) => {
      const row = page.split('\n').find((line) => line.startsWith(`| ${name} `))
      const settings = row?.split('|')[2]?.trim()
      const labels = fields.map(({ label, isOptional }) =>
        isOptional === true ? `${label} (optional)` : label,
      )
      expect(settings).toBe(labels.join(', '))
    },
  )

  it('accepts the names of templates', () => {
    const unknown = findTemplateProblem('{"a": "{{?}}"}')
    const [, list = ''] = /The names are (.*)\.$/.exec(unknown ?? '') ?? []
    for (const name of list.split(', ')) expect(page).toContain(`\`${name}\``)
  })
})
