import { describe, expect, it } from 'vitest'
import { prepareCommandLine } from '#test/command-line.ts'
import { textLike } from '#test/matchers.ts'
import { limitsSet } from './limits/set.ts'
import { limitsShow } from './limits/show.ts'

const key = 'e12d836b15bb49d7bbf99e64295d995b'
const otherKey = 'd15ab1edd15ab1edd15ab1edd15ab1ed'

const { run } = prepareCommandLine('--key', key)

describe('culvert limits', () => {
  it('shows the defaults, sets limits, and resets them', async () => {
    const before = (await run(limitsShow, '42')).stdout
    expect(before).toMatch(/per key {11}no limit\nper address {7}all=60000\/min, except/)
    const set = [
      '--per-project',
      'attachment=50M/hour',
      '--per-key',
      'error=100/min',
      '--per-key',
      'session=0',
    ]
    const more = [
      '--per-address',
      'none',
      '--spike-events',
      '500',
      '--spike-window',
      '10min',
      '--origin',
      'a.example',
    ]
    const after = await run(limitsSet, 'fixture', ...set, ...more)
    expect(after).toMatchObject({ code: 0, stderr: '' })
    expect(after.stdout).toBe(`project           42 fixture
per project       attachment=50000000/hour
per key           error=100/min session=0
per address       no limit
spike protection  the first 500 events of an issue per 10min are stored, then one in 100
origins           a.example
`)
    const own = await run(
      limitsSet,
      '42',
      '--per-key',
      '5/s',
      '--only',
      key,
      '--per-project',
      'attachment=none',
    )
    expect(own.stdout).toContain(`one key           ${key}: all=5/s\n`)
    expect(own.stdout).toContain('per project       no limit\nper key           error=100/min session=0\n')
    expect((await run(limitsSet, '42', '--reset')).stdout).toBe(before)
  })

  it('reports all problems at once', async () => {
    const bad = [
      '--per-key',
      'errors=1/s',
      '--per-project',
      '5',
      '--per-address',
      '1/week',
      '--spike-protection',
      'maybe',
    ]
    const more = [
      '--spike-events',
      '0',
      '--spike-sample',
      'x',
      '--spike-window',
      '2d',
      '--only',
      'y',
      '--origin',
      'a b',
    ]
    const result = await run(limitsSet, ...bad, ...more)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    for (const problem of [
      'One project is needed',
      'no category "errors"',
      '--per-project "5"',
      '--per-address "1/week"',
      '--spike-protection is "maybe"',
      '--spike-events is "0"',
      '--spike-sample is "x"',
      '--spike-window is "2d"',
      '--only is "y"',
      '--origin is "a b"',
      'Usage: culvert limits set PROJECT',
    ]) {
      expect(result.stderr).toContain(problem)
    }
    const attempts: [string[], RegExp][] = [
      [['42'], /Nothing to set/],
      [['42', '--only', key], /--only selects the key for --per-key/],
      [['42', '--per-key', '1/s', '--only', otherKey], /Project 42 has no key/],
    ]
    for (const [args, problem] of attempts) {
      expect(await run(limitsSet, ...args)).toMatchObject({ stdout: '', stderr: textLike(problem) })
    }
  })
})
