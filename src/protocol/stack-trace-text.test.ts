import { describe, expect, it } from 'vitest'
import type { ExceptionValue } from './event.ts'
import { toExceptionsText, toStackTraceText } from './stack-trace-text.ts'

const chain: ExceptionValue[] = [
  {
    type: 'KeyError',
    value: "'id'",
    stackTrace: {
      frames: [{ function: 'load', filename: 'db.py', lineNumber: 3, contextLine: '  row["id"]' }],
    },
  },
  {
    type: 'OrderError',
    value: 'no order',
    stackTrace: {
      frames: [
        { absPath: '/srv/app.py', lineNumber: 9 },
        { function: 'main', filename: 'app.py' },
      ],
    },
  },
]

describe('exceptions as text', () => {
  it('are printed like in most runtimes: thrown exception first, newest call first', () => {
    expect(toExceptionsText(chain, 'javascript')).toBe(
      [
        'OrderError: no order',
        '    at main (app.py)',
        '    at /srv/app.py:9',
        "Caused by: KeyError: 'id'",
        '    at load (db.py:3)',
      ].join('\n'),
    )
  })

  it('are printed as Python does: the root first, oldest call first, with the source line', () => {
    expect(toExceptionsText(chain, 'python')).toBe(
      [
        'Traceback (most recent call last):',
        '  File "db.py", line 3, in load',
        '    row["id"]',
        "KeyError: 'id'",
        '',
        'The above exception was the direct cause of the following exception:',
        '',
        'Traceback (most recent call last):',
        '  File "/srv/app.py", line 9, in <module>',
        '  File "app.py", in main',
        'OrderError: no order',
      ].join('\n'),
    )
  })

  it('are printed as Java does: with packages and classes', () => {
    const frame = { function: 'pay', module: 'shop.Orders', filename: 'Orders.java', lineNumber: 41 }
    const thrown = { type: 'OrderError', module: 'shop', value: 'no order', stackTrace: { frames: [frame] } }
    expect(toExceptionsText([thrown], 'java')).toBe(
      'shop.OrderError: no order\n    at shop.Orders.pay(Orders.java:41)',
    )
    // A native module of React Native.
    const native = { frames: [{ ...frame, platform: 'java' }] }
    expect(toStackTraceText(native, 'javascript')).toBe('    at shop.Orders.pay(Orders.java:41)')
  })

  it('name the relation of exceptions: a cause, one that was handled, a suppressed one, a member of a group', () => {
    const related: ExceptionValue[] = [
      { type: 'CloseError', mechanism: { type: 'suppressed' } },
      { type: 'KeyError', mechanism: { source: '__cause__' } },
      { type: 'StockError', mechanism: { source: '__context__' } },
      { type: 'LateError', mechanism: { source: 'errors[1]' } },
      { type: 'AggregateError' },
    ]
    expect(toExceptionsText(related, 'javascript').split('\n')).toEqual([
      'AggregateError',
      'Contained in errors[1]: LateError',
      'Raised while handling: StockError',
      'Caused by: KeyError',
      'Suppressed: CloseError',
    ])
    expect(toExceptionsText(related, 'python').split('\n\n')).toEqual([
      'CloseError',
      'The following exception suppressed the above exception:',
      'KeyError',
      'The above exception was the direct cause of the following exception:',
      'StockError',
      'During handling of the above exception, another exception occurred:',
      'LateError',
      'The above exception is contained in errors[1] of a group below.',
      'AggregateError',
    ])
  })

  it('use placeholders for an exception without type and value', () => {
    expect(toExceptionsText([{}], 'javascript')).toBe('Exception')
    expect(toStackTraceText({ frames: [{}, { symbol: 's', columnNumber: 4, lineNumber: 1 }] }, 'other')).toBe(
      '    at s (<unknown file>:1:4)\n    at <unknown file>',
    )
  })
})
