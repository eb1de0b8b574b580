import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testBrowserOptions } from './chromium.ts'

const switchName = '--disable-features='

describe('the browser of the tests', () => {
  const { args } = testBrowserOptions({})
  const featuresOff = args
    .filter((arg) => arg.startsWith(switchName))
    .join('')
    .slice(switchName.length)

  it('disables every feature that Playwright disables', () => {
    const playwright = dirname(createRequire(import.meta.url).resolve('playwright-core'))
    const source = readFileSync(join(playwright, 'lib/coreBundle.js'), 'utf8')
    const [, list = ''] = /disabledFeatures = \[([^\]]*)\]/.exec(source) ?? []
    const names = [...list.matchAll(/^\s*"(\w+)",?$/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(featuresOff.split(',')).toEqual(expect.arrayContaining(names))
  })

  it('is the one in CHROMIUM_PATH', () => {
    expect(testBrowserOptions({ CHROMIUM_PATH: '/opt/chromium' }).executablePath).toBe('/opt/chromium')
  })
})
