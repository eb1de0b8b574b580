import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { listFiles } from './map-question.ts'

function isBuilt(...frames: Record<string, string | number | boolean | string[]>[]): boolean | undefined {
  const event = normalizeEvent(
    { platform: 'node', exception: { values: [{ type: 'Error', stacktrace: { frames } }] } },
    { eventId: 'a'.repeat(32), receivedAt: 0 },
  )
  return listFiles(event, new Map())[0]?.isBuilt
}

const minified = { abs_path: 'https://shop.example/assets/app.js', lineno: 1, colno: 48_211 }

describe('a file of built code', () => {
  it('is detected by a long line of in-app code', () => {
    expect(isBuilt(minified)).toBe(true)
    expect(isBuilt({ ...minified, in_app: true })).toBe(true)
    expect(isBuilt({ ...minified, colno: 80 })).toBe(false)
    expect(isBuilt({ ...minified, colno: 80 }, minified)).toBe(true)
  })

  it('is never a library file', () => {
    const next = '/app/node_modules/next/dist/compiled/next-server/app-route-turbo.runtime.prod.js'
    expect(isBuilt({ ...minified, abs_path: next })).toBe(false)
    expect(isBuilt({ ...minified, abs_path: 'C:\\app\\node_modules\\kit\\index.js' })).toBe(false)
    expect(isBuilt({ ...minified, in_app: false })).toBe(false)
  })

  it('is not a file with short lines around the frame', () => {
    const plain = {
      abs_path: '/srv/app.cjs',
      lineno: 40,
      colno: 512,
      pre_context: ['', "const http = require('node:http')", '', 'function pay(order) {'],
      context_line: `  throw new Error(${'x'.repeat(600)})`,
      post_context: ['}', '', 'module.exports = { pay }'],
    }
    expect(isBuilt(plain)).toBe(false)
    expect(isBuilt({ abs_path: '/srv/app.cjs', lineno: 2, colno: 900 }, plain)).toBe(false)
  })

  it.each([
    [[], ['//# sourceMappingURL=app.js.map']],
    [['/*! For license information please see app.js.LICENSE.txt */', ' * Kit', '"use strict";'], []],
    [
      ['!function(){'.repeat(20), 'x=1;'],
      ['}'.repeat(200), '})'.repeat(200)],
    ],
  ])('keeps its comments and the seams of its chunks: %j', (pre_context, post_context) => {
    expect(isBuilt({ ...minified, pre_context, context_line: 'x'.repeat(900), post_context })).toBe(true)
  })
})
