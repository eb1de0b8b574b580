import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { scrubText } from '#server/scrub/scrub-event.ts'
import { createScrubPlan } from '#server/scrub/scrub-plan.ts'
import { defaultScrubSettings } from '#server/scrub/scrub-settings.ts'

const plan = createScrubPlan(defaultScrubSettings)

const secretColumn = fc.constantFrom('password', '`users`.`api_token`', '"client_secret"', '[auth_key]')
const plainColumn = fc.constantFrom('id', '"email"', '`created_at`', 'users.name')

/** A literal with anything that may confuse the reader of a tuple. */
const literal = fc
  .array(fc.constantFrom('a', ' ', ',', '(', ')', "''", '"', 'values', 'into x(y)', '?', ';'), {
    maxLength: 6,
  })
  .map((parts) => `'${parts.join('')}'`)
const plainValue = fc.oneof(literal, fc.constantFrom('NULL', '7', 'now()', "lower('A, b')", '-1.5'))

const row = fc.record({
  before: fc.array(plainValue, { minLength: 2, maxLength: 2 }),
  secret: fc.array(fc.constantFrom('x', ' ', ',', ')', "''", '"'), { maxLength: 4 }),
  after: fc.array(plainValue, { minLength: 1, maxLength: 1 }),
})

it('the value of a secret column is found in every row, and no other one', () => {
  fc.assert(
    fc.property(
      secretColumn,
      fc.array(plainColumn, { minLength: 3, maxLength: 3 }),
      fc.array(row, { minLength: 1, maxLength: 4 }),
      (secret, [first = '', second = '', last = ''], rows) => {
        const statement = (secretOf: (parts: string[]) => string) =>
          `INSERT INTO users (${first}, ${second}, ${secret}, ${last}) VALUES ${rows
            .map(
              ({ before, secret: parts, after }) => `(${[...before, secretOf(parts), ...after].join(', ')})`,
            )
            .join(', ')} RETURNING id`
        const expected = statement(() => "'[Filtered]'")
        expect(
          scrubText(
            statement((parts) => `'hunter2${parts.join('')}'`),
            plan,
          ),
        ).toBe(expected)
      },
    ),
    { numRuns: 300 },
  )
})

it('any text near a statement leaves it readable, without an error', () => {
  const piece = fc.constantFrom(
    'insert into a(password) values ',
    '[SQL: ',
    '[parameters: ',
    "identified by '",
    'create user a ',
    'curl -u ',
    "'",
    '(',
    ')',
    ',',
    '?',
    '\\',
    '[',
    'a:b',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const clean = scrubText(pieces.join(''), plan)
      expect(scrubText(clean, plan)).toBe(clean)
    }),
    { numRuns: 1_000 },
  )
})
