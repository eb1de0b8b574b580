import { describe, expect, it } from 'vitest'
import { findExcessGrowth } from '#test/cpu-time.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'
import { findSecrets, replaceSecrets, type TextKind } from './scrub-text.ts'

function scrub(text: string, kind: TextKind, rules: ScrubSettings['rules']): string {
  const plan = createScrubPlan({ ...defaultScrubSettings, rules })
  const find = (part: string) => findSecrets(part, kind, { plan, limit: 500 })
  return replaceSecrets(text, find(text), find).text
}

/** Repeated prefixes of every pattern, so that a match attempt starts at every position. */
const adversaries = [
  '//a:',
  '//:@',
  '//a:b',
  '4',
  '4111 ',
  '411-',
  '1-',
  'DE89 ',
  'DE89370400440532',
  'eyJ',
  '-eyJ',
  '.eyJaaaaaaaaaa',
  'sk-',
  '_sk-ant-',
  'a1b2c3d4e5f6a7b8-us',
  'bearer ',
  'basic a',
  'Bearer "',
  'pwd=',
  'pwd="',
  "pwd='\\",
  'pwd:{',
  'pwd: [(',
  'pwd={',
  '"pwd":',
  'pwd=\\\\\\"',
  'password:',
  'password: a ',
  'max_tokens=1 ',
  'cookie:a ',
  'authorization:',
  'api key:',
  '%22pwd%22%3A',
  '%3D',
  '=',
  ':',
  ']=',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END',
  '/Users/',
  ' /home/a',
  'C:\\Users\\',
  'C:\\Users\\a ',
  '--a "',
  "--ab '",
  '--password ',
  '<a>',
  '<a ',
  '<password>',
  '<a><![CDATA[',
  'name="a"\r\n',
  'name="',
  'form-data; name="a"\r\n\r\n',
  'a@',
  'a@b.',
  'a.b@c.d.e.',
  '1.1.1.1.',
  '::1:',
  'a:',
  '00:',
  '49-015420-',
  'aaaaaaaa-aaaa-',
  'a',
  'A1',
  '_',
  '-',
  ' ',
  '\\',
  '"',
  '\ud800',
  '[Filtered]',
  "'pwd','",
  "'pwd',\"",
  "'pwd','\\",
  "'pwd=${x}",
  "'pwd=${x},pwd:",
  "'pwd: {",
  "f('Bearer ','",
  "'\\",
  "don't ",
  'a=%41',
  'Cookie: a="',
  'Authorization: Digest a="b", ',
  'a=+',
  'a=%25253D',
  '=%',
  'dp.pt.',
  'hvs.',
  'AccountKey=',
  'MNOMNOMNOMNOMNOMNOMNOMNO.',
  'abc4',
  'card4111',
  '4111.',
  '４',
  '٤',
  'YWFh',
  'YWFhYWFhYWFhYWFh=',
  '%C3%B1',
  'a=%2525',
  '1//0',
  's.aB3',
  '8Q~',
  'a8Q~',
  'key-',
  'access_token$',
  'a:b@tcp(',
  'a:',
  '/c/Users/',
  'C:\\Windows\\Profiles\\',
  'session=a1',
  'pin=1 ',
  'code: A1-',
  'seed: ab ',
  'senha：',
]

describe('hostile texts', () => {
  const everyRule = { email: true, ip: true, imei: true, mac: true, uuid: true }

  it.each(adversaries)('repeated %j takes time that grows no faster than the text', (part) => {
    for (const kind of ['text', 'route', 'source', 'literal', 'location'] as const) {
      const prepare = (characters: number) => {
        const text = part.repeat(Math.ceil(characters / part.length))
        return kind === 'literal'
          ? () => scrub(`'${text}`, 'source', everyRule)
          : () => scrub(text, kind, everyRule)
      }
      expect({ kind, growth: findExcessGrowth(prepare) }).toEqual({ kind, growth: undefined })
    }
  })
})
