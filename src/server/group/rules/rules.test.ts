import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { groupEvent } from '#server/group/group-event.ts'
import { limits } from '#server/limits.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { groupByRules, markByRules } from './apply-rules.ts'
import { parseFingerprintRules } from './fingerprint-rules.ts'
import { parseGroupingRules } from './grouping-rules.ts'
import type { RuleProblem } from './rule-problem.ts'
import { parseStackTraceRules } from './stack-trace-rules.ts'

const at = { eventId: 'a'.repeat(32), receivedAt: 1_000 }

function eventOf(payload: object) {
  const parsed = parsePayloadJson(Buffer.from(JSON.stringify(payload)))
  return normalizeEvent(parsed.ok ? parsed.value : {}, at)
}

const frame = (name: string, path: string, more: object = {}) => ({
  function: name,
  abs_path: path,
  filename: path,
  ...more,
})

/** Oldest call first. */
const shopEvent = eventOf({
  platform: 'python',
  logger: 'shop.cart',
  level: 'error',
  release: 'shop@2.1',
  tags: { area: 'checkout' },
  exception: {
    values: [
      {
        type: 'KeyError',
        value: "'price'",
        stacktrace: {
          frames: [
            frame('main', '/app/main.py', { in_app: true }),
            frame('call', '/app/vendor/kit.py', { in_app: true }),
            frame('total', '/app/cart.py', { in_app: true }),
            frame('assert_key', '/app/checks.py', { in_app: true }),
          ],
        },
      },
    ],
  },
})

const ruled = (stackTraceRules: string, fingerprintRules = '', event = shopEvent) =>
  groupByRules(event, parseGroupingRules({ stackTraceRules, fingerprintRules }))
const framesOf = (rules: string, event = shopEvent) =>
  [...ruled(rules, '', event).traces.values()][0]?.frames ?? []
const problemsOf = (text: string) => parseStackTraceRules(text).problems

function expectProblem(problems: RuleProblem[], [line, column, message]: [number, number, string]): void {
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ line, column })
  expect(problems[0]?.message).toContain(message)
}

describe('stack trace rules', () => {
  it.each([
    ['path:**/vendor/** -app', [true, false, true, true]],
    ['path:vendor/** -app', [true, true, true, true]],
    ['path:/app/*.py -app', [false, true, false, false]],
    ['path:**/VENDOR/** -app', [true, false, true, true]],
    ['stack.abs_path:**\\vendor\\** -app', [true, false, true, true]],
    ['function:total v-app', [false, false, true, true]],
    ['function:total ^-app', [true, true, true, false]],
    ['!function:total -app', [false, false, true, false]],
    ['function:TOTAL -app', [true, true, true, true]],
    ['function:{total,main} -app', [false, true, false, true]],
    ['[ function:main ] | function:* -app', [true, false, true, true]],
    ['function:* | [ function:assert_key ] -app', [true, true, false, true]],
    ['[ function:call ] | function:total | [ function:assert* ] -app', [true, true, false, true]],
    ['error.type:KeyError function:* -app', [false, false, false, false]],
    ['type:TypeError function:* -app', [true, true, true, true]],
    ['function:main category=start\ncategory:start -app', [false, true, true, true]],
    ['function:* -app\nfunction:total +app', [false, false, true, false]],
    ['family:native function:* -app', [true, true, true, true]],
    ['family:other,native app:yes function:main -app', [false, true, true, true]],
  ])('determine which frames are in-app: %s', (rules, expected) => {
    expect(problemsOf(rules)).toEqual([])
    expect(framesOf(rules).map(({ isApp }) => isApp)).toEqual(expected)
  })

  it.each([
    ['function:assert* -group', [true, true, true, false]],
    ['function:assert* ^-group -group', [true, true, true, false]],
    ['function:* -group\nfunction:total +group', [false, false, true, false]],
    ['function:* max-frames=2', [false, false, true, true]],
    ['path:**/vendor/** -app\nfunction:* max-frames=3', [true, true, true, true]],
    ['function:* min-frames=5', [false, false, false, false]],
    ['function:* min-frames=4', [true, true, true, true]],
  ])('determine which frames contribute: %s', (rules, expected) => {
    expect(framesOf(rules).map(({ isGrouped }) => isGrouped)).toEqual(expected)
  })

  it('group events that differ only in ignored frames', () => {
    const other = eventOf({
      platform: 'python',
      exception: {
        values: [
          {
            type: 'KeyError',
            stacktrace: {
              frames: [
                frame('main', '/app/main.py', { in_app: true }),
                frame('call', '/app/vendor/kit.py', { in_app: true }),
                frame('total', '/app/cart.py', { in_app: true }),
                frame('assert_present', '/app/other_checks.py', { in_app: true }),
              ],
            },
          },
        ],
      },
    })
    expect(groupEvent(other).hash).not.toBe(groupEvent(shopEvent).hash)
    const rule = 'function:assert_* -group'
    expect(ruled(rule, '', other).grouping.hash).toBe(ruled(rule).grouping.hash)
  })

  it('leave an event unchanged when no rule matches', () => {
    const untouched = ruled('function:nothing -app -group max-frames=1')
    expect(untouched.event).toBe(shopEvent)
    expect(untouched.grouping).toEqual(groupEvent(shopEvent))
  })

  const unmarked = eventOf({
    platform: 'node',
    exception: {
      values: [
        {
          type: 'Cause',
          stacktrace: { frames: [frame('read', '/srv/read.js')] },
        },
        {
          type: 'Error',
          stacktrace: {
            frames: [
              frame('serve', '/srv/node_modules/kit/index.js'),
              frame('boot', '/srv/boot.js'),
              frame('pay', '/srv/pay.js'),
            ],
          },
        },
      ],
    },
  })
  const appMarks = (rules: string) =>
    [...ruled(rules, '', unmarked).traces.values()].map(({ frames }) => frames.map(({ isApp }) => isApp))

  it('use the built-in tables for frames that the SDK did not mark', () => {
    expect(appMarks('function:boot -app')).toEqual([[true], [false, false, true]])
  })

  it('make the unmarked frames of such an event not in-app once one is marked +app', () => {
    expect(appMarks('function:boot +app')).toEqual([[false], [false, true, false]])
    expect(appMarks('function:boot +app\nfunction:pay -app')).toEqual([[false], [false, true, false]])
    expect(appMarks('function:boot ^+app')).toEqual([[false], [false, false, true]])
    // No frame is marked as in-app any more.
    expect(appMarks('function:boot +app\nfunction:boot -app')).toEqual([[true], [false, false, true]])
    const rules = 'function:boot +app'
    expect(ruled(rules, '', unmarked).grouping.hash).not.toBe(groupEvent(unmarked).hash)
    expect(ruled(rules, 'app:yes function:pay -> x', unmarked).fingerprint).toBeUndefined()
    expect(ruled(rules, 'app:yes function:boot -> x', unmarked).fingerprint).toEqual(['x'])
    expect(ruled(`${rules}\nfunction:* max-frames=1`, '', unmarked).grouping.hash).toBe(
      ruled(rules, '', unmarked).grouping.hash,
    )
  })

  it.each([
    ['functoin:x -app', 1, 1, 'Unknown matcher "functoin"'],
    ['# fine\n\nfunction:x', 3, 11, 'An action is expected'],
    ['function: -app', 1, 10, 'A pattern is expected'],
    ['function:x -ap', 1, 12, '"-ap" is not an action'],
    ['  function:"x -app', 1, 12, 'no closing quote'],
    ['[ function:x -app', 1, 14, 'not closed'],
    ['[ function:x ] function:y -app', 1, 16, 'A | is expected'],
    ['[ [ function:x ] ] | function:y -app', 1, 3, 'Brackets cannot be nested'],
    ['[ type:x ] | function:y -app', 1, 3, 'not errors'],
    ['-app', 1, 1, 'A matcher such as'],
    ['family:perl -app', 1, 12, 'A family is'],
    ['app:maybe -app', 1, 10, 'yes or no'],
    ['function:x category=', 1, 12, 'not an action'],
    ['function:x invert-stacktrace=1', 1, 12, 'not an action'],
  ])('that cannot be parsed are reported by line and column: %s', (rules, ...where) => {
    expectProblem(problemsOf(rules), where)
  })
})

describe('fingerprint rules', () => {
  it.each([
    ['type:KeyError -> price', ['price']],
    ['error.type:Key* -> a, b c', ['a', 'b', 'c']],
    ['type:KeyError value:"*PRICE*" -> x', ['x']],
    ['type:keyerror -> x', undefined],
    ['message:"*price*" -> x', ['x']],
    ['logger:shop.* -> cart-{{ logger }}', ['cart-', 'shop.cart']],
    ['level:ERROR -> {{level}}', ['error']],
    ['release:shop@2.* -> two', ['two']],
    ['tags.area:checkout -> {{ tags.area }}, {{ tags.none }}', ['checkout', '<no-value-for-tag-none>']],
    ['"tags.area":checkout -> x', ['x']],
    ['function:total path:**/cart.py -> x', ['x']],
    ['function:total path:**/main.py -> x', undefined],
    ['stack.function:total !app:yes -> x', undefined],
    ['!logger:other -> "two words", "a \\"quote\\""', ['two words', 'a "quote"']],
    ['!type:KeyError -> x', undefined],
    ['family:other type:* -> {{ type }} {{ function }}', ['KeyError', 'assert_key']],
    ['logger:nothing -> x\nlogger:shop.cart -> y\ntype:* -> z', ['y']],
  ])('determine the grouping of an event: %s', (rules, expected) => {
    expect(parseFingerprintRules(rules).problems).toEqual([])
    expect(ruled('', rules).fingerprint).toEqual(expected)
  })

  it('take precedence over the fingerprint of the SDK', () => {
    const sent = { ...shopEvent, fingerprint: ['from-sdk'] }
    expect(ruled('', 'type:KeyError -> own', sent).grouping).toEqual(
      groupEvent({ ...shopEvent, fingerprint: ['own'] }),
    )
    expect(ruled('', 'type:Other -> own', sent).grouping).toEqual(groupEvent(sent))
  })

  it('include the default grouping with {{ default }}, and change nothing with it alone', () => {
    expect(ruled('', 'type:* -> {{ default }}').grouping).toEqual(groupEvent(shopEvent))
    const perArea = ruled('', 'type:* -> {{ default }}, {{ tags.area }}').grouping
    expect(perArea).toEqual(groupEvent({ ...shopEvent, fingerprint: ['{{ default }}', '{{ tags.area }}'] }))
  })

  it('set the title of the issue', () => {
    expect(ruled('', 'type:* -> x title="No {{ value }} in {{ tags.area }}"').title).toBe(
      "No 'price' in checkout",
    )
  })

  it('match frames after the stack trace rules were applied', () => {
    expect(ruled('function:total -app', 'function:total app:no -> x').fingerprint).toEqual(['x'])
  })

  it.each([
    ['type:x', 1, 7, '-> and a fingerprint'],
    ['-> x', 1, 1, 'A matcher such as'],
    ['type:x ->', 1, 10, 'A fingerprint is expected'],
    ['type:x -> {{ nope }}', 1, 11, 'Unknown variable "nope"'],
    ['type:x -> a colour="red"', 1, 13, 'Unknown attribute "colour"'],
    ['type:x -> a title="red', 1, 19, 'no closing quote'],
    ['nope:x -> a', 1, 1, 'Unknown matcher "nope"'],
    ['tags.:x -> a', 1, 1, 'Unknown matcher "tags."'],
    ['type -> a', 1, 5, 'A colon and a pattern'],
  ])('that cannot be parsed are reported by line and column: %s', (rules, ...where) => {
    expectProblem(parseFingerprintRules(rules).problems, where)
  })
})

/** The in-app marks of the shown event, with a project's rules. */
function shownMarks(stackTraceRules: string, ...frames: object[]) {
  const sent = eventOf({ platform: 'java', exception: { type: 'E', stacktrace: { frames } } })
  const shown = markByRules(sent, parseGroupingRules({ stackTraceRules, fingerprintRules: '' }))
  return shown.exceptions[0]?.stackTrace?.frames.map(({ inApp }) => inApp)
}

describe('in-app marks of the shown event', () => {
  const own = { module: 'shop.Cart', function: 'pay' }
  const library = { module: 'java.util.Objects', function: 'requireNonNull' }

  it('come from the tables of libraries if the SDK marks no frame', () => {
    expect(shownMarks('', own, library)).toEqual([true, false])
    expect(shownMarks('function:total +app', own, library)).toEqual([true, false])
  })

  it('are those of the SDK, and those of rules before the tables', () => {
    expect(shownMarks('', { ...own, in_app: false }, library)).toEqual([false, undefined])
    expect(shownMarks('module:java.** +app', own, library)).toEqual([false, true])
  })

  it('are left out if no frame is of a library', () => {
    expect(shownMarks('', own, own)).toEqual([undefined, undefined])
  })
})

describe('rules from anywhere', () => {
  const piece = fc.constantFrom(
    ...'type: path: "tags.a": ! [ ] | -> +app -app ^-group v+app max-frames=2 category=x {{ type }} title=" " \\ * ** , # é'.split(
      ' ',
    ),
    '\n',
    ' ',
  )
  const hostile = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' ')),
  )

  it('are parsed or reported line by line, and never throw', () => {
    fc.assert(
      fc.property(hostile, hostile, (stackTraceRules, fingerprintRules) => {
        for (const read of [parseStackTraceRules(stackTraceRules), parseFingerprintRules(fingerprintRules)]) {
          for (const { line, column } of read.problems) {
            expect(line).toBeGreaterThan(0)
            expect(column).toBeGreaterThan(0)
          }
        }
        const { grouping } = groupByRules(
          shopEvent,
          parseGroupingRules({ stackTraceRules, fingerprintRules }),
        )
        expect(grouping.hash).toMatch(/^[0-9a-f]{32}$/)
      }),
    )
  })

  it('are limited in number and length', () => {
    const many = 'type:x -> y\n'.repeat(limits.groupingRules + 5)
    expect(parseFingerprintRules(many).rules).toHaveLength(limits.groupingRules)
    expect(parseFingerprintRules(many).problems[0]?.line).toBe(limits.groupingRules + 1)
    expect(parseFingerprintRules('x'.repeat(limits.groupingRuleCharacters + 1)).problems).toHaveLength(1)
  })

  it('need at most linear time in the length of the text', () => {
    const pattern = `${'*a'.repeat(60)}*b`
    const event = eventOf({ message: 'a'.repeat(8_000) })
    const { fingerprint } = groupByRules(
      event,
      parseGroupingRules({ stackTraceRules: '', fingerprintRules: `message:${pattern} -> x` }),
    )
    expect(fingerprint).toBeUndefined()
  })
})
