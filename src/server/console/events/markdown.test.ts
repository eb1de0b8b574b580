import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { linkFrames } from '#source-links/linked-event.ts'
import { toEventMarkdown } from './markdown.ts'

const at = Date.UTC(2026, 10, 21, 12)
const options = { origin: 'https://culvert.test', reader: 'llm' } as const

function issueOf(text: string): IssueSummary {
  return {
    id: '7',
    shortId: `${text}-1`,
    project: { id: 1, slug: 'web', name: text },
    type: 'error',
    title: text,
    subtitle: text,
    culprit: text,
    level: 'error',
    platform: 'javascript',
    status: 'unresolved',
    firstSeenAt: at,
    lastSeenAt: at,
    eventCount: 12,
    keptEventCount: 12,
    userCount: 3,
    firstRelease: text,
    lastRelease: text,
  }
}

/** An event with the same text in every field. */
function eventOf(text: string) {
  const frame = {
    filename: text,
    function: text,
    lineno: 3,
    in_app: true,
    pre_context: [text],
    context_line: text,
    post_context: [text],
    vars: { [text]: text },
  }
  const raw = {
    environment: text,
    release: text,
    transaction: text,
    message: text,
    exception: { values: [{ type: text, value: text, stacktrace: { frames: [frame] } }] },
    breadcrumbs: { values: [{ category: text, message: text, data: { [text]: text } }] },
    request: { url: `https://shop.test/${text}`, method: 'GET' },
    contexts: { browser: { name: text, version: text }, os: { name: text } },
    tags: { [text]: text },
  }
  return normalizeEvent(raw, { eventId: 'e'.repeat(32), occurredAt: at, receivedAt: at })
}

/** The Markdown without its code, by the rules of CommonMark. */
function outsideCode(markdown: string): string {
  const lines: string[] = []
  let fence = ''
  for (const line of markdown.split('\n')) {
    const [, run = '', rest = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? []
    if (fence !== '') {
      if (run.length >= fence.length && rest.trim() === '') fence = ''
    } else if (run !== '' && !rest.includes('`')) fence = run
    else lines.push(line)
  }
  return lines.join('\n').replaceAll(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
}

const piece = fc.constantFrom(
  'EVIL',
  '`',
  '```',
  '````',
  '\n',
  '\n\n',
  '# ',
  '</code>',
  '[x](javascript:1)',
  '~~~',
  '\\',
  ' ',
)
const hostile = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => `EVIL${pieces.join('')}EVIL`)

describe('an event as Markdown', () => {
  it('keeps every sent value inside code', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markdown = toEventMarkdown({ issue: issueOf(text), event: eventOf(text) }, options)
        expect(outsideCode(markdown)).not.toContain('EVIL')
        expect(markdown).toContain('EVIL')
      }),
    )
  })

  it('contains everything needed to find the cause', () => {
    const markdown = toEventMarkdown({ issue: issueOf('TypeError'), event: eventOf('pay') }, options)
    expect(markdown.split('\n')[0]).toBe('Find the cause of the error below and propose a fix.')
    for (const part of [
      '# `TypeError`',
      '- Issue: `TypeError-1` https://culvert.test/issues/7',
      `- Event: https://culvert.test/events/${'e'.repeat(32)}`,
      '- Last seen: 2026-11-21T12:00:00.000Z in `TypeError`',
      '- Request: `GET https://shop.test/pay`',
      '- Browser: `pay pay`',
      '```\npay: pay\n    at pay (pay:3)\n```',
      '`pay:3`\n\n```\n  pay\n> pay\n  pay\n```',
      'Variables:\n\n```json\n{\n  "pay": "pay"\n}\n```',
      'info pay: pay {"pay":"pay"}',
      '## Tags\n\n```\npay: pay\n```',
    ]) {
      expect(markdown).toContain(part)
    }
  })

  it.each([
    ['github', '/blob/v1/src/cart.ts#L3'],
    ['gitlab', '/-/blob/v1/src/cart.ts#L3'],
    ['gitea', '/src/branch/v1/src/cart.ts#L3'],
    ['bitbucket', '/src/v1/src/cart.ts#lines-3'],
  ] as const)('links own frames to their line in %s', (host, path) => {
    const links = { host, url: 'https://git.test/acme/shop', branch: 'v1', roots: [] }
    const event = linkFrames(eventOf('src/cart.ts'), links, undefined)
    expect(toEventMarkdown({ issue: issueOf('x'), event }, options)).toContain(`<${links.url}${path}>`)
  })

  it('links each own frame in the stack trace, also those without source, unless that displaces frames', () => {
    const settings = {
      host: 'github',
      url: `https://git.test/acme/${'shop'.repeat(20)}`,
      branch: 'v1',
      roots: [],
    } as const
    const markdownOf = (platform: string, count: number) => {
      const frame = { function: 'pay', filename: 'src/cart.ts', lineno: 3, in_app: true }
      const frames = [
        { filename: 'lib/router.ts', in_app: false },
        ...Array.from({ length: count }, () => frame),
      ]
      const raw = { platform, exception: { values: [{ type: 'E', stacktrace: { frames } }] } }
      const event = normalizeEvent(raw, { eventId: 'e'.repeat(32), occurredAt: at, receivedAt: at })
      return toEventMarkdown({ issue: issueOf('x'), event: linkFrames(event, settings, undefined) }, options)
    }
    const address = `${settings.url}/blob/v1/src/cart.ts#L3`
    expect(markdownOf('node', 5).split(`    at pay (src/cart.ts:3) ${address}\n`)).toHaveLength(6)
    expect(markdownOf('python', 5).split(`", line 3, in pay ${address}\n`)).toHaveLength(6)
    expect(markdownOf('node', 5)).not.toContain('router.ts#')
    const long = markdownOf('node', 245)
    expect(long.split('    at pay (src/cart.ts:3)\n')).toHaveLength(246)
    expect(long).not.toContain(address)
  })

  it('for a human reader has neither instructions nor variables', () => {
    const parts = { issue: issueOf('TypeError'), event: eventOf('pay') }
    const markdown = toEventMarkdown(parts, { ...options, reader: 'person' })
    expect(markdown.startsWith('# `TypeError`')).toBe(true)
    expect(markdown).not.toContain('Variables:')
  })

  it('stays short for a long event', () => {
    const issue = issueOf('x')
    const frames = Array.from({ length: 250 }, () => ({
      function: 'f'.repeat(500),
      filename: 'g'.repeat(1000),
    }))
    const raw = { exception: { values: [{ type: 'E', stacktrace: { frames } }] } }
    const event = normalizeEvent(raw, { eventId: 'e'.repeat(32), occurredAt: at, receivedAt: at })
    const markdown = toEventMarkdown({ issue, event }, options)
    expect(markdown.length).toBeLessThan(25_000)
    expect(markdown).toMatch(/\(\d+ more characters\)/)
  })
})
