import { type Browser, chromium } from '@playwright/test'
import { buildConsole } from '#test/built-console.ts'
import { testBrowserOptions } from '../../../bin/chromium.ts'
import { type Culvert, startCulvert } from '../../e2e/support/culvert.ts'

/** The environment of the recipes: a Culvert and a browser. */
export interface RecipeWorld {
  culvert: Culvert
  browser: Browser
  close(): Promise<void>
}

/** Starts the built console on a free port, with an owner, and a Chromium. */
export async function openRecipeWorld(): Promise<RecipeWorld> {
  await buildConsole()
  const [culvert, browser] = await Promise.all([startCulvert(), launchBrowser()])
  return {
    culvert,
    browser,
    async close() {
      await browser.close()
      await culvert.stop()
    },
  }
}

/** Starts the Chromium that the end-to-end tests use. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(testBrowserOptions(process.env))
}
