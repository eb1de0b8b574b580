import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestInfo } from '#protocol/event.ts'
import { quoteForShell, toCurlCommand } from './curl-command.ts'

/** The arguments that a POSIX shell would pass to a program, without running anything. */
function shellArguments(words: string): string[] {
  const { stdout, stderr } = spawnSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", '"', '\\', '$', '`', '(', ')', '!', '\n', ';', '&', '|', ' ', '*', '~', '-'),
  }),
)
const whole = (text: string) => text.toWellFormed().replaceAll('\0', '')

describe('quoting for a shell', () => {
  it('preserves any text exactly', () => {
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 20 }), (texts) => {
        expect(shellArguments(texts.map((text) => quoteForShell(text.toWellFormed())).join(' '))).toEqual(
          texts.map(whole),
        )
      }),
      { numRuns: 30 },
    )
  })
})

describe('a command that is pasted into a terminal', () => {
  const body = 'a\u0003\ntouch /tmp/pasted\n\u0015\u001b[201~\t\r\u007f\u009b'

  it('encodes control characters and still sends them', () => {
    const command = toCurlCommand({ url: 'https://shop.test/', data: body }) ?? ''
    expect(command.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(shellArguments(command).at(-1)).toBe(body)
  })
})

const post: RequestInfo = {
  method: 'POST',
  url: 'https://shop.test/pay',
  query: [
    ['a', "it's"],
    ['a', '&'],
  ],
  headers: [
    ['Content-Type', 'application/json'],
    ['Authorization', '[Filtered]'],
    ['Content-Length', '99'],
    ['Host', 'shop.test'],
    ['X-Two', 'a\r\nEvil: yes'],
    ['@/etc/passwd', 'x'],
    ['Bad Name', 'x'],
  ],
  cookies: [
    ['session', '[Filtered]'],
    ['lang', 'de'],
  ],
  data: { card: '[Filtered]', "o'clock": 1 },
}

describe('a request as a command for curl', () => {
  it('has the stored address, headers, cookies and body', () => {
    expect(shellArguments(toCurlCommand(post) ?? '')).toEqual([
      'curl',
      '--globoff',
      '--url',
      'https://shop.test/pay?a=it%27s&a=%26',
      '--header',
      'Content-Type: application/json',
      '--header',
      'Authorization: [Filtered]',
      '--header',
      'X-Two: a Evil: yes',
      '--header',
      'Cookie: session=[Filtered]; lang=de',
      '--data-raw',
      `{"card":"[Filtered]","o'clock":1}`,
    ])
  })

  it("names a method that is not curl's default", () => {
    const url = 'https://shop.test/'
    expect(toCurlCommand({ url, method: 'GET' })).toBe(`curl --globoff --url '${url}'`)
    expect(toCurlCommand({ url, method: 'HEAD' })).toContain('--head')
    expect(toCurlCommand({ url, method: 'POST' })).toContain(`--request 'POST'`)
    expect(toCurlCommand({ url, method: 'PUT', data: 'text' })).toContain(`--request 'PUT'`)
  })

  it('sends a form as a form', () => {
    const headers: RequestInfo['headers'] = [['content-type', 'application/x-www-form-urlencoded']]
    const command = toCurlCommand({ url: 'https://shop.test/', headers, data: { a: 'b c', n: 1 } })
    expect(shellArguments(command ?? '').at(-1)).toBe('a=b+c&n=1')
  })

  it.each([undefined, '', '/relative', 'javascript:alert(1)', 'file:///etc/passwd', '-o/tmp/x', 'http://'])(
    'returns no command for the address %s',
    (url) => {
      expect(toCurlCommand({ url })).toBeUndefined()
    },
  )

  it('is a single curl command with its options for any request', () => {
    const pair = fc.tuple(nasty, nasty)
    const request = fc.record({
      method: nasty,
      url: nasty.map((text) => `https://${text}`),
      query: fc.array(pair, { maxLength: 3 }),
      headers: fc.array(pair, { maxLength: 3 }),
      cookies: fc.array(pair, { maxLength: 3 }),
      data: fc.oneof(nasty, fc.dictionary(nasty, nasty, { maxKeys: 3 })),
    })
    fc.assert(
      fc.property(request, (made) => {
        const command = toCurlCommand(made)
        if (command === undefined) return
        const [program, globoff, ...options] = shellArguments(command.toWellFormed())
        expect([program, globoff]).toEqual(['curl', '--globoff'])
        const pairs = options[0] === '--head' ? options.slice(1) : options
        const names = pairs.filter((_, index) => index % 2 === 0)
        const known = new Set(['--request', '--url', '--header', '--data-raw'])
        expect(names.filter((name) => !known.has(name))).toEqual([])
        expect(names.at(-1)).toBe('--data-raw')
        expect(pairs.at(-1)).toBe(
          whole(typeof made.data === 'string' ? made.data : JSON.stringify(made.data)),
        )
      }),
      { numRuns: 30 },
    )
  })
})
