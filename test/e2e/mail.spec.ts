import { toMailHtml } from '#server/alerts/channels/email/mail-html.ts'
import { toMessageText } from '#server/alerts/channels/message-text.ts'
import type { AlertMessage } from '#server/alerts/message.ts'
import { alertIssue, alertItem, alertMessage } from '#test/alert-messages.ts'
import { expect, onePageTest as test } from './support/test.ts'

const long = 'x'.repeat(1_000)
const hostile =
  '</title><script>document.title = 1</script><img src=https://evil.example/a.png> https://evil.example'

const mails: Record<string, AlertMessage> = {
  'the begin of a storm': alertMessage({ kind: 'storm' }),
  'one issue': alertMessage(),
  'seven issues': alertMessage({
    items: [1, 2, 3, 4, 5, 6, 7].map((number) => alertItem(number)),
    moreCount: 12,
  }),
  'a long text without a break': alertMessage({
    items: [alertItem(1, { issue: alertIssue(1, { title: long, culprit: long, release: long }) })],
  }),
  'a hostile title': alertMessage({
    items: [1, 2].map((number) => alertItem(number, { issue: alertIssue(number, { title: hostile }) })),
  }),
}

const backgroundOf = (element: Element) => getComputedStyle(element).backgroundColor
const colorOf = (element: Element) => getComputedStyle(element).color

/** The lightness of a colour from 0 to 255, as the browser writes it. */
function lightnessOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number)
  return (red + green + blue) / 3
}

for (const [name, message] of Object.entries(mails)) {
  test(`a mail about ${name} fits, follows the color scheme, and loads nothing`, async ({ page }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 900]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await page.setContent(toMailHtml(toMessageText(message)))
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        const surface = lightnessOf(await page.locator('.card').evaluate(backgroundOf))
        const text = lightnessOf(await page.locator('.title').first().evaluate(colorOf))
        expect([colorScheme, width, overflow]).toEqual([colorScheme, width, 0])
        expect(surface - text > 100, `${surface} behind ${text}`).toBe(colorScheme === 'light')
        expect(Math.abs(surface - text)).toBeGreaterThan(150)
      }
    }
    await expect(page.locator('script, img')).toHaveCount(0)
    await expect(page.locator('a[href*="evil"]')).toHaveCount(0)
    expect(requests).toEqual([])
  })
}

test('a list in a mail has links in the colour of its button, in both schemes', async ({ page }) => {
  await page.setContent(
    toMailHtml(toMessageText(alertMessage({ items: [alertItem(1), alertItem(2)], moreCount: 0 }))),
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const link = await page.locator('.item a').first().evaluate(colorOf)
    expect(link, colorScheme).toBe(await page.locator('.button').evaluate(backgroundOf))
  }
})
