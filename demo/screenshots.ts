import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { findSystemChromium } from '../bin/chromium.ts'
import { listShownPictures, pictureFolder } from './pictures.ts'
import { screens, waitForAll } from './screens.ts'

/**
 * Takes the pictures of the documents from a running server with the demo's data: `node demo/screenshots.ts
 * ORIGIN EMAIL PASSWORD [NAME…]`, by default all. Writes the files in docs/screenshots that the documents
 * show.
 *
 * With `node demo/upstreams.ts` started before the demo, the picture of the tunnel is not empty.
 */

const viewport = { width: 1440, height: 900 }

/** Maximum size of a screenshot in the repository. */
const pictureBytes = 250_000

/** Long enough for a busy machine. */
const waitMs = 120_000

async function main([origin = '', email = '', password = '', ...names]: string[]): Promise<number> {
  const executablePath = findSystemChromium(process.env)
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  mkdirSync(pictureFolder, { recursive: true })
  const storageState = await signIn(browser, { origin, email, password })
  const tooLarge: string[] = []
  for (const file of new Set(listShownPictures().map((picture) => picture.file))) {
    const [, name = '', colorScheme] = /^(.*)-(light|dark)\.png$/.exec(file) ?? []
    if (names.length > 0 && !names.includes(name)) continue
    const options = {
      viewport,
      colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
      storageState,
    } as const
    const bytes = await takePicture(browser, { name, origin, file, options })
    console.log(`docs/screenshots/${file}: ${Math.round(bytes / 1000)} kB`)
    if (bytes > pictureBytes) tooLarge.push(file)
  }
  await browser.close()
  if (tooLarge.length === 0) return 0
  console.error(`Larger than ${pictureBytes / 1000} kB: ${tooLarge.join(', ')}`)
  return 1
}

interface Picture {
  name: string
  origin: string
  file: string
  options: NonNullable<Parameters<Browser['newContext']>[0]>
}

/** The cookies of a user who has signed in with the form. */
async function signIn(
  browser: Browser,
  { origin, email, password }: { origin: string; email: string; password: string },
) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/issues/)
  const session = await context.storageState()
  await context.close()
  return session
}

/** Takes one screenshot. Returns its bytes. */
async function takePicture(browser: Browser, { name, origin, file, options }: Picture): Promise<number> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(waitMs)
  await screens[name]?.(page, origin)
  await page.waitForLoadState('networkidle')
  await waitForAll(page)
  const path = join(pictureFolder, file)
  await page.screenshot({ path })
  await context.close()
  return statSync(path).size
}

process.exitCode = await main(process.argv.slice(2))
