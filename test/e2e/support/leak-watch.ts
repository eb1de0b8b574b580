import type { Page, Response } from '@playwright/test'
import { appConfig } from '../../../app.config.ts'

/** Everything that a page got to see from its server and wrote to its console. */
export interface LeakWatch {
  /** What holds `word`, each with the place it was found in. Resolves when all bodies have been read. */
  findLeaks(word: string): Promise<string[]>
}

/** Starts to collect the answers, with their headers, and the console's lines of a page. */
export function watchLeaks(page: Page): LeakWatch {
  const seen: { place: string; text: string }[] = []
  const reading: Promise<void>[] = []
  async function read(response: Response): Promise<void> {
    const place = `${response.status()} ${response.url()}`
    seen.push({ place: `headers of ${place}`, text: JSON.stringify(await response.allHeaders()) })
    // Chromium keeps no body of what outlives its page; the tunnel's answers are tested where they are made.
    if (new URL(response.url()).pathname === appConfig.tunnelPath) return
    // Of a redirect and of a page that was left behind there is no body any more.
    const body = await response.text().catch(() => '')
    seen.push({ place: `body of ${place}`, text: body })
  }
  page.on('response', (response) => void reading.push(read(response).catch(() => {})))
  page.on(
    'console',
    (message) => void seen.push({ place: `console ${message.type()}`, text: message.text() }),
  )
  page.on(
    'pageerror',
    (error) => void seen.push({ place: 'uncaught', text: `${error.message} ${error.stack}` }),
  )
  return {
    async findLeaks(word) {
      await Promise.all(reading)
      seen.push({ place: 'the document', text: await page.content() })
      return seen.filter(({ text }) => text.includes(word)).map(({ place }) => place)
    },
  }
}
