import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareCommandLine } from '#test/command-line.ts'
import { destinationAdd } from './destinations/add.ts'
import { ruleAdd } from './rules/add.ts'
import { ruleExport } from './rules/export.ts'
import { ruleImport } from './rules/import.ts'
import { ruleList } from './rules/list.ts'
import { userAdd } from './users/add.ts'

const commandLine = prepareCommandLine()
const { run } = commandLine

const payments = ['--name', 'Payments', '--when', 'new', '--when', 'regressed', '--notify', 'members']

describe('culvert rule', () => {
  it('adds a rule, and lists it with the initial one', async () => {
    const filter = ['--filter', 'environment is production', '--throttle', '60']
    const added = await run(ruleAdd, 'fixture', ...payments, ...filter)
    expect(added.stdout).toMatch(
      /^rule {2}[0-9a-f-]{36}\nWhen an issue is new or regresses and its environment is production, notify all members once an hour for each issue\.\n$/,
    )
    const { stdout } = await run(ruleList, '42')
    expect(stdout.split('\n').map((line) => line.slice(38))).toEqual([
      'fixture  New and regressed issues: When an issue is new or regresses, notify all members each time.',
      expect.stringMatching(/^fixture {2}Payments: When an issue/),
      '',
    ])
  })

  it('notifies members by their email address and destinations by their name', async () => {
    await run(userAdd, 'ada@example.com', '--name', 'Ada')
    await run(destinationAdd, 'email', 'Ops: night', 'to=ops@example.com')
    const notify = ['--notify', 'person:Ada@example.com', '--notify', 'destination:Ops: night']
    const { stdout } = await run(ruleAdd, 'fixture', '--name', 'Ops', '--when', 'new', ...notify)
    expect(stdout).toContain('notify Ada and Ops: night')
  })

  it('imports exported rules, once or twice, and replaces rules with the same name', async () => {
    await run(ruleAdd, 'fixture', ...payments)
    const { stdout } = await run(ruleExport)
    const file = join(commandLine.path, 'rules.json')
    await writeFile(file, stdout.replace('"isEnabled": true', '"isEnabled": false'))
    expect((await run(ruleImport, file)).stdout).toBe('added     0\nreplaced  3\n')
    expect((await run(ruleExport)).stdout).toBe(stdout.replace('"isEnabled": true', '"isEnabled": false'))
  })

  it('imports no rule if a receiver or an assignee does not exist here, and names each', async () => {
    await run(ruleAdd, 'fixture', ...payments)
    const { stdout } = await run(ruleExport)
    const file = join(commandLine.path, 'rules.json')
    const [first, ...rules] = JSON.parse(stdout) as object[]
    const elsewhere = rules.map((rule) =>
      Object.assign(rule, {
        filters: [{ kind: 'assignee', is: true, id: 'no-user' }],
        actions: [
          { kind: 'destination', id: 'no-destination' },
          { kind: 'person', id: 'bob@example.com' },
        ],
      }),
    )
    await writeFile(file, JSON.stringify([{ ...first, name: 'New' }, ...elsewhere]))
    const { code, stderr } = await run(ruleImport, file)
    expect(code).toBe(1)
    for (const problem of [
      '0 destinations have the name or the id "no-destination"',
      'no member of the organization has the email address or the id "bob@example.com"',
      'no member of the organization has the email address or the id "no-user"',
    ])
      expect(stderr).toContain(`(Payments): ${problem}`)
    expect(stderr).toContain('No rule was imported.')
    expect((await run(ruleExport)).stdout).toBe(stdout)
  })

  it('imports rules whose receivers are written as email addresses and names', async () => {
    await run(userAdd, 'ada@example.com', '--name', 'Ada')
    await run(destinationAdd, 'email', 'Ops: night', 'to=ops@example.com')
    await run(ruleAdd, 'fixture', ...payments)
    const exported = JSON.parse((await run(ruleExport, 'fixture')).stdout) as object[]
    const named = exported.map((rule) =>
      Object.assign(rule, {
        filters: [{ kind: 'assignee', is: true, id: 'ada@example.com' }],
        actions: [
          { kind: 'destination', id: 'Ops: night' },
          { kind: 'person', id: 'Ada@example.com' },
        ],
      }),
    )
    const file = join(commandLine.path, 'rules.json')
    await writeFile(file, JSON.stringify(named))
    expect(await run(ruleImport, file)).toMatchObject({ code: 0, stderr: '' })
    expect((await run(ruleList, 'fixture')).stdout).toMatch(/assigned to Ada, notify Ops: night and Ada/)
  })

  it.each<[string[], RegExp]>([
    [['42'], /name: Enter a name\.\ntransitions: Choose at least one transition\.\nactions: Choose/],
    [['42', ...payments, '--filter', 'x'], /Line 1 is not a filter/],
    [['42', ...payments, '--threshold', 'many'], /--threshold: write it as "100 events in 5 minutes"/],
    [
      ['42', ...payments, '--threshold', '5 users in 3 minutes'],
      /threshold\.windowMs: Choose a window of 1, 5/,
    ],
    [['42', ...payments, '--notify', 'everybody'], /actions\.1\.kind/],
    [['42', ...payments, '--notify', 'person:bob@example.com'], /no member of the organization has/],
    [['42', ...payments, '--notify', 'destination:Ops'], /0 destinations have the name or the id "Ops"/],
    [['42', ...payments, '--crash-free', 'low'], /--crash-free: write it as "99\.5% of sessions in 1 hour"/],
    [['42', ...payments, '--when', 'release'], /add a separate rule for "release"/],
    [['42', ...payments, '--filter', 'assigned to bob@example.com'], /is not the email address of a user/],
    [['7', ...payments], /Unknown project "7"/],
  ])('explains %j', async (args, text) => {
    const { code, stderr } = await run(ruleAdd, ...args)
    expect([code > 0, stderr]).toEqual([true, expect.stringMatching(text)])
  })

  it.each<[string, RegExp]>([
    ['no JSON', /The file is not JSON/],
    ['{}', /The file has no list of rules/],
    ['[{"project":"nowhere"}]', /Rule 1 belongs to the unknown project "nowhere"/],
    ['[{"project":null,"name":"x"}]', /Rule 1: isEnabled: /],
    [
      '[{"project":null,"name":"x","isEnabled":true,"transitions":["normal"],"filters":[],"throttleMs":0,"actions":[{"kind":"members"}]}]',
      /Rule 1: transitions: An issue is back to normal only after a threshold/,
    ],
  ])('imports nothing of %j', async (text, message) => {
    const file = join(commandLine.path, 'rules.json')
    await writeFile(file, text)
    const { code, stderr } = await run(ruleImport, file)
    expect([code > 0, stderr]).toEqual([true, expect.stringMatching(message)])
  })
})

const isRate = (text: string) => /sessions|, at least/.test(text)

it('accept the thresholds and the crash-free rates of the guide', async () => {
  const guide = await readFile(new URL('../../docs/alerts.md', import.meta.url), 'utf8')
  const examples = [...guide.matchAll(/^\| `([^`]*(?:events|users|sessions|release) in [^`]*)`/gm)].map(
    ([, text = '']) => text,
  )
  expect([examples.filter(isRate).length, examples.length]).toEqual([3, 6])
  const ofProject = ['--name', 'Crashes', '--notify', 'admins']
  for (const text of examples) {
    const args = isRate(text) ? [...ofProject, '--crash-free', text] : [...payments, '--threshold', text]
    const { code, stderr } = await run(ruleAdd, '42', ...args)
    expect([text, code, stderr]).toEqual([text, 0, ''])
  }
})
