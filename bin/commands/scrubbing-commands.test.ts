import { describe, expect, it } from 'vitest'
import { prepareCommandLine } from '#test/command-line.ts'
import { scrubbingSet } from './scrubbing/set.ts'
import { scrubbingShow } from './scrubbing/show.ts'

const { run } = prepareCommandLine()

const defaults = `project    42 fixture
scrubbing  on
on         password cookie urlauth fields token creditcard iban pemkey userpath usssn
off        email ip imei mac uuid
fields     none
except     none
addresses  kept
`

describe('culvert scrubbing', () => {
  it('shows the defaults, sets the given values, and resets them', async () => {
    expect((await run(scrubbingShow, '42')).stdout).toBe(defaults)
    const set = ['--on', 'email', '--off', 'usssn', '--field', 'member_no', '--field', 'geburtstag']
    await run(scrubbingSet, 'fixture', ...set, '--except', 'token')
    expect((await run(scrubbingSet, '42', '--ip-addresses', 'remove', '--scrubbing', 'off')).stdout)
      .toBe(`project    42 fixture
scrubbing  off
on         password cookie urlauth fields token creditcard iban pemkey userpath email
off        usssn ip imei mac uuid
fields     member_no geburtstag  (not active: the rule "fields" or scrubbing is off)
except     token
addresses  removed
`)
    const { stdout } = await run(scrubbingShow, '42', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      scrubbing: { isOn: false, rules: { email: true, usssn: false }, excludedFields: ['token'] },
    })
    await run(scrubbingSet, '42', '--field', 'none', '--except', 'none', '--on', 'usssn')
    expect((await run(scrubbingShow, '42')).stdout).toContain('fields     none\nexcept     none\n')
    expect((await run(scrubbingSet, '42', '--reset')).stdout).toBe(defaults)
  })

  it.each<[string[], RegExp]>([
    [['42'], /Nothing to set/],
    [['--reset'], /One project is needed/],
    [['42', '--on', 'cards'], /--on is "cards": the rules are password, cookie/],
    [['42', '--off', 'constructor'], /--off is "constructor": the rules are/],
    [['42', '--ip-addresses', 'maybe'], /must be keep or remove/],
    [['42', '--scrubbing', 'yes'], /must be on or off/],
    [['42', '--field', '--'], /--field is "--": it must be a name|argument/],
    [['42', '--except', '...'], /it must be a name with a letter or digit, or none/],
  ])('rejects %j with a message and the usage', async (args, complaint) => {
    const { code, stderr } = await run(scrubbingSet, ...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(complaint)
    expect(stderr).toContain('culvert scrubbing set PROJECT')
  })

  it('reports an unknown project', async () => {
    expect((await run(scrubbingSet, 'nobody', '--reset')).stderr).toMatch(/Unknown project "nobody"/)
  })
})
