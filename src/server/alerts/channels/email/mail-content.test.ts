import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sendAlertMail, startMailReceiver } from '#test/alert-mails.ts'
import { alertIssue, alertItem, alertMessage, alertOrigin, listMessage } from '#test/alert-messages.ts'
import { hostileTitles } from '#test/hostile-titles.ts'
import { findBareLinks, readHtml } from '#test/shown-text.ts'
import { parseMail } from '#test/smtp-receiver.ts'

describe('a mail', () => {
  it('is in one thread per issue, with one subject and a unique id', async () => {
    const { port, mails } = await startMailReceiver()
    const url = `smtp://localhost:${port}`
    await sendAlertMail(url, alertMessage(), { deliveryId: 'one' })
    await sendAlertMail(url, alertMessage({ items: [alertItem(1, { transition: 'regressed' })] }), {
      deliveryId: 'two',
    })
    await sendAlertMail(url, alertMessage({ threadKey: 'issue-2' }), { deliveryId: 'three' })
    const [first, second, other] = mails.map(({ raw }) => parseMail(raw).headers)
    expect(first?.get('message-id')).toEqual(['<one@culvert.example>'])
    expect(second?.get('message-id')).toEqual(['<two@culvert.example>'])
    expect(first?.get('subject')).toEqual(second?.get('subject'))
    expect(first?.get('subject')).toEqual([
      `[Shop] SHOP-1 TypeError: cannot read properties of undefined (reading 'price')`,
    ])
    for (const name of ['references', 'in-reply-to']) {
      expect(first?.get(name)).toEqual([expect.stringMatching(/^<thread-[0-9a-f]{32}@culvert\.example>$/)])
      expect(second?.get(name)).toEqual(first?.get(name))
      expect(other?.get(name)).not.toEqual(first?.get(name))
    }
  })

  it('has one-click unsubscribing, and prevents automatic replies', async () => {
    const { port, mails } = await startMailReceiver()
    const { urls } = alertMessage()
    const unsubscribe = `${alertOrigin}/unsubscribe/TOKEN`
    await sendAlertMail(`smtp://localhost:${port}`, alertMessage({ urls: { ...urls, unsubscribe } }))
    const { headers, text, html } = parseMail(mails[0]?.raw ?? '')
    expect(headers.get('list-unsubscribe')).toEqual([`<${unsubscribe}>`])
    expect(text).toContain(`Unsubscribe:\r\n${unsubscribe}`)
    expect(html).toContain(`href="${unsubscribe}"`)
    expect(headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
    expect(headers.get('auto-submitted')).toEqual(['auto-generated'])
    expect(headers.get('list-id')).toEqual([
      expect.stringMatching(/^Example Ltd shop <[0-9a-f]{12}\.alerts\.culvert\.example>$/),
    ])
  })

  it('over http has no one-click header, which needs https', async () => {
    const { port, mails } = await startMailReceiver()
    await sendAlertMail(
      `smtp://localhost:${port}`,
      alertMessage({ urls: { mute: '', rule: '', list: '', unsubscribe: 'http://10.0.0.1/end' } }),
    )
    const { headers } = parseMail(mails[0]?.raw ?? '')
    expect(headers.get('list-unsubscribe')).toEqual(['<http://10.0.0.1/end>'])
    expect(headers.has('list-unsubscribe-post')).toBe(false)
  })

  it('has the same content as text and as HTML', async () => {
    const { port, mails } = await startMailReceiver()
    await sendAlertMail(`smtp://localhost:${port}`, { ...listMessage(12), moreCount: 30 })
    const { text, html } = parseMail(mails[0]?.raw ?? '')
    for (const part of [text, html]) {
      expect(part).toContain('42 alerts in Shop')
      expect(part).toContain('and 32 more')
      expect(part).toContain('Rule: New issues')
      expect(part).toContain(`${alertOrigin}/issues/10`)
      expect(part).not.toContain(`${alertOrigin}/issues/11`)
    }
  })

  it.each([...hostileTitles.entries()])('treats the hostile title %i as text', async (_, title) => {
    const { port, mails } = await startMailReceiver()
    await expectSafeMails(port, title)
    expect(mails).toHaveLength(2)
    for (const { raw, to } of mails) checkMail(raw, to)
  })

  it('accepts any text', async () => {
    const { port, mails } = await startMailReceiver()
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[<>@"'&:/.\r\n\t aé=?]{0,40}$/))
    await fc.assert(
      fc.asyncProperty(texts, async (title) => {
        mails.length = 0
        await expectSafeMails(port, title)
        for (const { raw, to } of mails) checkMail(raw, to)
      }),
      { numRuns: 25 },
    )
  })
})

async function expectSafeMails(port: number, title: string): Promise<void> {
  const issue = alertIssue(1, {
    title,
    culprit: title,
    environment: title,
    release: title,
    assignee: title,
    level: title,
  })
  const single = alertMessage({
    items: [alertItem(1, { issue })],
    organization: title,
    project: { slug: 'shop', name: title },
    rules: [{ name: title, url: alertOrigin }],
  })
  // Concurrently, because this mail server greets a client after 0.1 s.
  const answers = await Promise.all(
    [single, listMessage(12, title)].map((message) => sendAlertMail(`smtp://localhost:${port}`, message)),
  )
  expect(answers.map(({ verdict }) => verdict)).toEqual(['delivered', 'delivered'])
}

const headerNames = new Set(
  `from to subject message-id in-reply-to references date mime-version content-type list-id list-unsubscribe
  list-unsubscribe-post auto-submitted x-auto-response-suppress precedence`.split(/\s+/),
)

/**
 * Throws for a header that Culvert does not write, a second recipient, and markup or a link from an event.
 */
function checkMail(raw: string, to: readonly string[]): void {
  const { headers, text, html } = parseMail(raw)
  expect(to).toEqual(['ops@example.com'])
  expect(headers.get('to')).toEqual(['ops@example.com'])
  expect([...headers.keys()].filter((name) => !headerNames.has(name))).toEqual([])
  expect([...headers.values()].filter((values) => values.length > 1)).toEqual([])
  for (const line of raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n'))
    expect(line.length).toBeLessThanOrEqual(998)
  const { links } = readHtml(
    html.replace(/<style>[^]*?<\/style>/, ''),
    /^<(?:!doctype html|\/?(?:html|head|body|meta|title|div|h1|p|a|table|tr|td|span|tbody)(?: [a-z-]+="[^"<>]*")*)>$/,
  )
  const foreign = [...links, ...findBareLinks(text)].filter((link) => !link.startsWith(alertOrigin))
  expect(foreign).toEqual([])
}
