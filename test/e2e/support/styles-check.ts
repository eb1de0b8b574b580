import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const assets = join(import.meta.dirname, '../../../dist/client/assets')

/** The names of classes in a style sheet of the build. */
function listClasses(file: string): string[] {
  const text = readFileSync(join(assets, file), 'utf8').replaceAll(/url\([^)]*\)/g, '')
  return [...text.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name = '']) => name)
}

/**
 * The classes in the open page that only style sheets of other pages define: its components do not import
 * what they need, so that the page looks right only after a navigation from such a page.
 */
export async function findUnstyledClasses(page: Page): Promise<string[]> {
  const { classes, loaded } = await page.evaluate(() => ({
    classes: [...document.querySelectorAll('[class]')].map((element) => element.getAttribute('class')),
    loaded: [...document.styleSheets].map(({ href }) => href?.split('/').at(-1)),
  }))
  const used = new Set(classes.join(' ').split(/\s+/))
  const files = readdirSync(assets).filter((file) => file.endsWith('.css'))
  const classesOf = (isLoaded: boolean) =>
    new Set(files.filter((file) => loaded.includes(file) === isLoaded).flatMap(listClasses))
  const [here, elsewhere] = [classesOf(true), classesOf(false)]
  return [...used].filter((name) => elsewhere.has(name) && !here.has(name))
}
