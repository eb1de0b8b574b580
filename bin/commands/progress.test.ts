import { expect, it } from 'vitest'
import { createProgress, createProgressBar } from './progress.ts'

it('redraws one line of a terminal, and ends it', () => {
  let written = ''
  const bar = createProgressBar({ report: (text) => (written += text), isTerminal: true })
  bar.show(0.5, 'shop')
  expect(written).toMatch(/^\r\[#{12}-{12}\] {2}50% {2}shop {2,}$/)
  expect(written.length).toBeLessThan(80)
  bar.show(0.6, 'drawn a moment later only')
  bar.end()
  bar.end()
  expect(written).toMatch(/shop +\n$/)
})

it('truncates a line that a terminal would wrap', () => {
  let written = ''
  createProgressBar({ report: (text) => (written += text), isTerminal: true }).show(1, 'x'.repeat(500))
  expect(written.length).toBe(79)
})

it('prints nothing to a file until two seconds have passed', () => {
  let written = ''
  const show = createProgress({ report: (text) => (written += text) })
  show(0.1)
  show(1)
  expect(written).toBe('')
})
