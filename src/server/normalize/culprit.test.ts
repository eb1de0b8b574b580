import { describe, expect, it } from 'vitest'
import { eventCulprit } from './culprit.ts'
import { normalizeEvent } from './normalize-event.ts'

const culpritOf = (raw: unknown) =>
  eventCulprit(normalizeEvent(raw, { eventId: 'a'.repeat(32), receivedAt: Date.UTC(2026, 10, 21) }))

const own = { function: 'pay', filename: 'cart.js', in_app: true }
const library = { function: 'run', filename: 'lib.js', in_app: false }
const exception = (...frames: object[]) => ({ exception: { type: 'E', stacktrace: { frames } } })

describe('eventCulprit', () => {
  it.each([
    [
      "an old SDK's own culprit",
      { culprit: 'shop.cart in pay', transaction: 'GET /cart' },
      'shop.cart in pay',
    ],
    ['the transaction when the culprit is empty', { culprit: ' ', transaction: 'GET /cart' }, 'GET /cart'],
    ['the transaction', { transaction: 'GET /cart', ...exception(own) }, 'GET /cart'],
    ['the last frame of the app', { platform: 'javascript', ...exception(own, library) }, 'pay(cart.js)'],
    ['the last frame when none is of the app', { platform: 'node', ...exception(library) }, 'run(lib.js)'],
    ['a module before a file', { platform: 'node', ...exception({ ...own, module: 'cart' }) }, 'pay(cart)'],
    ['a nameless function', { platform: 'node', ...exception({ filename: 'a.js' }) }, 'a.js'],
    [
      'Python',
      { platform: 'python', ...exception({ module: 'shop.cart', function: 'pay' }) },
      'shop.cart in pay',
    ],
    [
      'PHP',
      { platform: 'php', ...exception({ filename: '/cart.php', function: 'pay' }) },
      '/cart.php in pay',
    ],
    [
      'native code',
      { platform: 'cocoa', ...exception({ function: '-[Cart pay]', package: 'Shop' }) },
      '-[Cart pay]',
    ],
    [
      'the last frame that is not of a library when none is marked',
      {
        platform: 'java',
        ...exception({ module: 'shop.Cart', function: 'pay' }, { module: 'java.util.Objects' }),
      },
      'shop.Cart in pay',
    ],
    [
      "a frame's own platform",
      { platform: 'cocoa', ...exception({ ...own, platform: 'javascript' }) },
      'pay(cart.js)',
    ],
    [
      'the crashed thread',
      { platform: 'node', threads: [{ current: true }, { crashed: true, stacktrace: [own] }] },
      'pay(cart.js)',
    ],
    ['the request', { request: { url: 'http://a.example/cart?x=1' } }, 'http://a.example/cart'],
    ['nothing', {}, ''],
  ])('names %s', (_, raw, culprit) => {
    expect(culpritOf(raw)).toBe(culprit)
  })
})
