import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axeCore from 'axe-core'
import { isShortRun } from '../../../bin/checks/short-run.ts'

declare global {
  /** The global that axe's source defines in the page. */
  var axe: Pick<typeof axeCore, 'run'>
}

/**
 * A phone and a desktop are checked by every rule. The layout of a tablet differs from both in positions
 * only, and the dark scheme from the light one in colours only: each is checked by the rules that depend on
 * these. 320 px is also 1280 px at 400 % zoom, and 640 px at 200 %.
 */
const fullVariants = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'light', width: 768, rules: ['target-size', 'scrollable-region-focusable'] },
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440, rules: ['color-contrast'] },
] as const

/** Of a short run: every rule and colour, and the smallest and the largest width. */
const shortVariants = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1440, rules: ['color-contrast'] },
] as const

const variants = isShortRun ? shortVariants : fullVariants

/** A third of the size of `axe.source`. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails unless the open screen is accessible in every variant. */
export async function expectAccessible(page: Page): Promise<void> {
  await checkVariants(page)
}

/** Calls `checkWidth` at each width of a variant, once. */
async function checkVariants(page: Page, checkWidth?: (width: number) => Promise<void>): Promise<void> {
  for (const { colorScheme, width, ...variant } of variants) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const findings = await findViolations(page, 'rules' in variant ? variant.rules : undefined)
    expect(findings, `${colorScheme}, ${width} px`).toEqual([])
    if (colorScheme === 'light' || isShortRun) await checkWidth?.(width)
  }
}

/**
 * The violations that axe finds in the page, by all of its rules by default. axe runs inside the page and is
 * injected once per document; `@axe-core/playwright` does so each time, returns all passed rules too, and
 * takes three times as long.
 */
async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript)
  return page.evaluate(async (only) => {
    const { violations } = await globalThis.axe.run(document, {
      resultTypes: ['violations'],
      // Without the style sheets, which no rule that runs here reads.
      preload: { assets: ['media'] },
      // WCAG 2.2 AA, which axe disables by default.
      rules: { 'target-size': { enabled: true } },
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    })
    const isMenuOpen = document.querySelector('details[open] > .menu-panel') !== null
    return violations.flatMap(({ id, nodes }) => {
      // Elements partly covered by an open menu have their full size once it is closed.
      const node = nodes.find(
        ({ any }) => !isMenuOpen || !any.some(({ message }) => message.includes('partially obscured')),
      )
      return node === undefined ? [] : [`${id}: ${node.html} ${node.failureSummary}`]
    })
  }, rules)
}

/** Fails unless the screen is accessible in every variant, fits every width, and respects reduced motion. */
export async function expectGoodLayout(page: Page): Promise<void> {
  const expectFit = async (width: number) => {
    const { contentWidth, clipped, moving } = await page.evaluate(measureFit)
    const crowded = await page.evaluate(findCrowded)
    expect(contentWidth, `content width at ${width} px`).toBe(width)
    expect(clipped, `cut off at ${width} px`).toEqual([])
    expect(crowded, `without distance at ${width} px`).toEqual([])
    expect(moving, 'what moves in spite of reduced motion').toEqual([])
  }
  await checkVariants(page, expectFit)
  await page.setViewportSize({ width: 640, height: 640 })
  await expectFit(640)
}

/** Runs in the page: finds what is too wide, what is cut off without a sign of it, and what moves. */
function measureFit() {
  const clipped = [...document.querySelectorAll<HTMLElement>('main *, header *, footer *')].filter(
    (element) => {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element)
      if (overflowX !== 'hidden' && overflowX !== 'clip') return false
      return (
        textOverflow !== 'ellipsis' &&
        clipPath === 'none' &&
        element.checkVisibility({ visibilityProperty: true }) &&
        element.scrollWidth > element.clientWidth + 1
      )
    },
  )
  const moving = document.getAnimations().filter((animation) => {
    const duration = animation.effect?.getComputedTiming().duration
    return typeof duration === 'number' && duration > 1
  })
  const scrolls = getComputedStyle(document.documentElement).scrollBehavior
  return {
    contentWidth: document.documentElement.scrollWidth,
    clipped: clipped.map(
      ({ tagName, className, textContent }) => `${tagName} ${className} ${textContent.slice(0, 60)}`,
    ),
    moving: [...moving.map(({ id }) => id), ...(scrolls === 'auto' ? [] : [scrolls])],
  }
}

/** Runs in the page: finds forms that touch the text above them, and labels with a line below their box. */
function findCrowded(): string[] {
  const touching = [...document.querySelectorAll<HTMLElement>('main p + form, main p + .form')].filter(
    (form) => {
      const above = form.previousElementSibling
      if (above === null || !form.checkVisibility() || above.getBoundingClientRect().height < 4) return false
      const padding = Number.parseFloat(getComputedStyle(above).paddingBlockEnd)
      const gap = form.getBoundingClientRect().top - above.getBoundingClientRect().bottom + padding
      return gap > -1 && gap < 4
    },
  )
  const outdented = [...document.querySelectorAll<HTMLElement>('main fieldset label:has(> input)')].filter(
    (label) => {
      const box = label.querySelector('[type="checkbox"], [type="radio"]')
      if (box === null || !label.checkVisibility()) return false
      const text = document.createRange()
      text.setStartAfter(box)
      text.setEndAfter(label)
      const { right } = box.getBoundingClientRect()
      return [...text.getClientRects()].some(({ left, width }) => width > 1 && left < right - 1)
    },
  )
  return [...touching, ...outdented].map(
    ({ className, textContent }) => `${className} ${textContent.slice(0, 60)}`,
  )
}
