import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#protocol/json.ts'
import { scrubEvent } from './scrub-event.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'

function scrub(event: JsonObject, settings: Partial<ScrubSettings> = {}): JsonObject {
  return scrubEvent(event, createScrubPlan({ ...defaultScrubSettings, ...settings })).value
}

/** Without `_meta`. */
function scrubbed(event: JsonObject, settings: Partial<ScrubSettings> = {}): JsonObject {
  const { _meta, ...rest } = scrub(event, settings)
  return rest
}

const attribute = (value: Json) => ({ value, type: typeof value })

describe('values by their names', () => {
  it.each([
    'password',
    'Password1',
    'passwd',
    'db_password',
    'newPasswordConfirmation',
    'the_secret',
    'clientSecret',
    'api_key',
    'X-Api-Key',
    'apikey',
    'auth',
    'Authorization',
    'Proxy-Authorization',
    'credentials',
    'mysql_pwd',
    'private-key',
    'privateKey',
    'token',
    'usertoken',
    'access_token',
    'X-CSRF-Token',
    'xsrf',
    'otp',
    'two-factor',
    'DB_PASS',
    'cvv',
    'card_number',
    'passphrase',
    'JSESSIONID',
    'jwt',
  ])('%s', (name) => {
    expect(scrubbed({ extra: { [name]: 'hunter' } })).toEqual({ extra: { [name]: '[Filtered]' } })
    expect(scrubbed({ extra: { [name]: 12 } })).toEqual({ extra: { [name]: '[Filtered]' } })
    expect(scrubbed({ extra: { [name]: { a: ['b'] } } })).toEqual({ extra: { [name]: '[Filtered]' } })
  })

  it.each([
    'author',
    'authority',
    'tokenizer',
    'passwordless',
    'secretary',
    'password_length',
    'token_count',
    'token_type',
    'tokenExpiresAt',
    'auth_method',
    'bypass',
    'compass',
    'pass',
    'key',
    'keyboard',
    'session_duration',
    'SSH_AUTH_SOCK',
    'description',
    'csrfless',
    'otpions',
  ])('not %s', (name) => {
    const event = { extra: { [name]: 'hunter' } }
    expect(scrub(event)).toBe(event)
  })

  it('keeps numbers, booleans, null and empty values', () => {
    const event = {
      extra: {
        max_tokens: 4096,
        total_tokens: '4108',
        tokens: 12,
        has_password: true,
        password: null,
        token: '',
        auth: {},
      },
    }
    expect(scrub(event)).toBe(event)
  })

  it('finds names in pairs, in key and value, and among the arguments of a command', () => {
    const event: JsonObject = {
      tags: [
        ['plan', 'pro'],
        ['api_token', 'abc'],
      ],
      extra: {
        attributes: [
          { key: 'password', value: 'hunter2' },
          { name: 'plan', value: 'pro' },
        ],
        argv: ['run', '--password', 'hunter2', '--name', 'x'],
        columns: ['password', 'email'],
      },
    }
    expect(scrubbed(event)).toEqual({
      tags: [
        ['plan', 'pro'],
        ['api_token', '[Filtered]'],
      ],
      extra: {
        attributes: [
          { key: 'password', value: '[Filtered]' },
          { name: 'plan', value: 'pro' },
        ],
        argv: ['run', '--password', '[Filtered]', '--name', 'x'],
        columns: ['password', 'email'],
      },
    })
  })

  it('finds names of the attributes of a span', () => {
    const sid = 'qZ7kP2mX9vL4tR8sW1yB'
    const span: JsonObject = {
      name: '/home/offers',
      attributes: {
        'http.request.header.authorization': attribute('Digest abc'),
        'http.request.header.cookie': { value: ['theme=dark; sid=abc'], type: 'array' },
        'app.session_id': attribute(sid),
        'app.pin': attribute(4711),
        'gen_ai.usage.input_tokens': attribute(12),
        'url.full': attribute('https://shop.example/home/offers?token=abc'),
        'sentry.segment.name': attribute('/home/offers'),
        note: attribute('in /home/jane/x'),
      },
    }
    expect(scrubbed(span)).toEqual({
      name: '/home/offers',
      attributes: {
        'http.request.header.authorization': '[Filtered]',
        'http.request.header.cookie': { value: ['theme=dark; sid=[Filtered]'], type: 'array' },
        'app.session_id': attribute('[Filtered]'),
        'app.pin': { value: '[Filtered]', type: 'number' },
        'gen_ai.usage.input_tokens': attribute(12),
        'url.full': attribute('https://shop.example/home/offers?token=[Filtered]'),
        'sentry.segment.name': attribute('/home/offers'),
        note: attribute('in /home/[user]/x'),
      },
    })
  })

  it('keeps values of numeric names, unless a project adds such a name', () => {
    const event = { extra: { 0: 'first', 4711: 'second' } }
    expect(scrubbed(event)).toEqual(event)
    expect(scrubbed(event, { fields: ['4711'] })).toEqual({ extra: { 0: 'first', 4711: '[Filtered]' } })
  })

  it('include the names that a project adds, and exclude its excluded names with all their values', () => {
    const event = { extra: { 'member-no': 7, PIN: 'x', login: { token: 'a', note: 'password=b' } } }
    const settings = { fields: ['memberNo', 'pin'], excludedFields: ['Login'] }
    expect(scrubbed(event, settings)).toEqual({
      extra: { 'member-no': '[Filtered]', PIN: '[Filtered]', login: { token: 'a', note: 'password=b' } },
    })
  })
})
