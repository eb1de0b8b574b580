import type { Page, Response } from '@playwright/test'
import { appConfig } from '../../../app.config.ts'

/** Collects everything that a page received from its server and logged to its console. */
export interface LeakWatch {
  /** The texts that contain `word`, each with its source. Resolves when all bodies have been read. */
  findLeaks(word: string): Promise<string[]>
}

/** Starts to collect the answers of a page, with their headers, and its console lines. */
export function watchLeaks(page: Page): LeakWatch {
  const seen: { place: string; text: string }[] = []
  const reading: Promise<void>[] = []
  async function read(response: Response): Promise<void> {
    const place = `${response.status()} ${response.url()}`
    seen.push({ place: `headers of ${place}`, text: JSON.stringify(await response.allHeaders()) })
    // Chromium drops bodies that outlive their page; the tunnel's answers are tested on the server.
    if (new URL(response.url()).pathname === appConfig.tunnelPath) return
    // A redirect and an abandoned page have no body any more.
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
