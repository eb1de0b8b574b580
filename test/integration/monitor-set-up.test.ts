import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { setUpTexts } from '#components/monitor/set-up-texts.ts'
import { defaultMonitorSettings } from '#monitors/schedule.ts'
import { recordNewMonitor } from '#server/store/monitors/changes.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { createTempDir } from '#test/temp-dir.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const slug = 'nightly-backup'

const server = await startServer()
const folder = await createTempDir()
const daily = { kind: 'interval', value: 1, unit: 'day' } as const
const settings = { ...defaultMonitorSettings, schedule: daily }
const monitor = { projectId: fixtureProject.id, slug, name: 'Backup', settings }
await recordNewMonitor(server.services.store, monitor, Date.now())
afterAll(async () => {
  await server.stop()
  await folder.remove()
})
beforeEach(() => server.services.store.writer.deleteFrom('monitor_check_ins').execute())

/** A text as the page of a monitor shows it. */
function textOf(label: string): string {
  const { publicKey } = fixtureProject
  const badgeUrl = `${server.origin}/badge/1/secret.svg`
  const texts = setUpTexts({
    origin: server.origin,
    publicKey,
    slug,
    name: 'Backup',
    badgeUrl,
    crontab: '*/5 8-18 * * mon-fri',
  })
  const found = texts.find((each) => each.label === label)
  if (found === undefined) throw new Error(`there is no text ${label}`)
  return found.code
}

/** Runs a command with a job that ends with a status, and returns the ends of its runs. */
async function endsOf(command: string, exitCode: number, variables: Record<string, string> = {}) {
  const job = join(folder.path, 'job.sh')
  await writeFile(job, `#!/bin/sh\nexit ${exitCode}\n`)
  await chmod(job, 0o755)
  const options = { cwd: folder.path, env: { ...process.env, ...variables } }
  // A script that ends with the failure of its job is as good as one that does not.
  await run('/bin/sh', ['-c', command], options).catch(() => undefined)
  return readEnds()
}

async function readEnds(): Promise<string[]> {
  await server.services.monitorClock.check()
  const rows = await server.services.store.db
    .selectFrom('monitor_check_ins')
    .select(['status', 'duration_ms'])
    .orderBy('at')
    .execute()
  // Each run has a start, and therefore a duration.
  return rows.map(({ status, duration_ms }) => (duration_ms === null ? `${status} without a start` : status))
}

/** The value of a line `key: value`, which YAML reads as it is. */
function readPlain(line: string): string {
  const [, value = ''] = /^\s*(?:- )?[\w-]+: (.*)$/.exec(line) ?? []
  expect(value).not.toMatch(/: | #|^["'[{&*!|>%@`]/)
  return value
}

const cases = [
  { exitCode: 0, ends: ['ok'] },
  { exitCode: 3, ends: ['error'] },
]

it.each(cases)('the text for shells reports a job that exits with $exitCode', async ({ exitCode, ends }) => {
  expect(await endsOf(textOf('Shell'), exitCode)).toEqual(ends)
})

it.each(cases)('the crontab reports a job that exits with $exitCode', async ({ exitCode, ends }) => {
  const [, schedule = '', command = ''] = /^((?:\S+ ){5})(.*)$/.exec(textOf('Crontab')) ?? []
  expect(schedule).toBe('*/5 8-18 * * mon-fri ')
  // cron reads an unescaped percent sign as the end of the command.
  expect(command).not.toContain('%')
  expect(await endsOf(command, exitCode)).toEqual(ends)
})

it.each([
  { result: 'success', status: '0', ends: ['ok'] },
  { result: 'exit-code', status: '3', ends: ['error'] },
  { result: 'signal', status: 'KILL', ends: ['error'] },
])('the systemd unit reports the result $result', async ({ result, status, ends }) => {
  const lines = textOf('systemd unit').split('\n')
  expect(lines[0]).toBe('[Service]')
  const valueOf = (key: string) => {
    const value = lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? ''
    expect(value.replaceAll('$$', '')).not.toMatch(/[$%]/)
    return value.replace(/^-/, '').replaceAll('$$', '$')
  }
  const variables = { SERVICE_RESULT: result, EXIT_STATUS: status }
  const command = `${valueOf('ExecStartPre')}; ./job.sh; ${valueOf('ExecStopPost')}`
  expect(await endsOf(command, 0, variables)).toEqual(ends)
})

it.each([
  { status: 'success', end: '0', ends: ['ok'] },
  { status: 'failure', end: 'fail', ends: ['error'] },
])('the workflow of GitHub Actions reports $status', async ({ end, ends }) => {
  const runs = textOf('GitHub Actions')
    .split('\n')
    .filter((line) => line.includes('run: '))
    .map(readPlain)
  const expression = "${{ job.status == 'success' && '0' || 'fail' }}"
  expect(runs.at(-1)).toContain(expression)
  expect(await endsOf(runs.join('\n').replace(expression, end), 0)).toEqual(ends)
})

it.each(cases)('the CronJob of Kubernetes reports a job that exits with $exitCode', async (given) => {
  const lines = textOf('Kubernetes CronJob').split('\n')
  expect(lines.find((line) => line.includes('command:'))?.trim()).toBe('command: [/bin/sh, -c]')
  const [, args = ''] = /^\s*args: (\[.*\])$/.exec(lines.at(-1) ?? '') ?? []
  // A sequence in double quotes means the same in JSON. Kubernetes replaces `$(NAME)`.
  const [command, ...more] = JSON.parse(args) as string[]
  expect([more, command]).toEqual([[], expect.not.stringContaining('$(')])
  expect(await endsOf(command ?? '', given.exitCode)).toEqual(given.ends)
})

it.each([
  { job: 'async () => {}', ends: ['ok'] },
  { job: "async () => { throw new Error('disk full') }", ends: ['error'] },
])('the text for Node.js reports $ends.0', async ({ job, ends }) => {
  const { id, publicKey } = fixtureProject
  const dsn = `${server.origin.replace('//', `//${publicKey}@`)}/${id}`
  const program = `import * as Sentry from '@sentry/node'
    Sentry.init({ dsn: '${dsn}' })
    const job = ${job}
    try { ${textOf('Node.js')} } catch {}
    await Sentry.close(2000)`
  await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: root })
  expect(await readEnds()).toEqual(ends)
})

/** Without the SDK at least the syntax is checked; Debian's is older than its decorator. */
const pythonCheck = `
import ast, sys
code = sys.argv[1]
ast.parse(code)
try:
    import sentry_sdk, sentry_sdk.crons
except ImportError:
    print('parsed')
else:
    sentry_sdk.init(sys.argv[2])
    scope = {}
    exec(code, scope)
    scope['job']()
    sentry_sdk.flush()
    print('ran')
`
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

it.skipIf(!hasPython)('the text for Python is valid, and reports a run if the SDK is installed', async () => {
  const { id, publicKey } = fixtureProject
  const dsn = `${server.origin.replace('//', `//${publicKey}@`)}/${id}`
  const { stdout } = await run('python3', ['-c', pythonCheck, textOf('Python'), dsn])
  expect(await readEnds()).toEqual(stdout.trim() === 'ran' ? ['ok'] : [])
})

it('the badge is Markdown with the address of the picture', () => {
  expect(textOf('Badge, in Markdown')).toBe(`![Backup](${server.origin}/badge/1/secret.svg)`)
})
