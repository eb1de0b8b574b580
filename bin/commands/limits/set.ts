import { OperatorError } from '#server/errors.ts'
import { isOriginPattern } from '#server/filter/origin-pattern.ts'
import {
  applyLimitChanges,
  parseLimitChanges,
  parseSeconds,
  type LimitChanges,
} from '#server/rate-limit/limit-text.ts'
import { defaultAddressLimits } from '#server/rate-limit/rate-limiter.ts'
import { listKeyRows, updateProjectKey } from '#server/store/projects/key-changes.ts'
import {
  defaultProjectSettings,
  updateProjectSettings,
  type ProjectSettings,
  type SpikeProtectionSettings,
} from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { parseCountOption, parseKey, parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { toLimitsReport } from './report.ts'

const usage = `culvert limits set PROJECT [options]

  --per-project LIMIT   limit of the whole project
  --per-key LIMIT       limit of each of its keys
  --per-address LIMIT   limit of each client address
  --only KEY            apply --per-key to this key only
  --spike-protection on|off
                        count the events of a flooding issue instead of storing each
  --spike-events N      number of events of an issue to store
  --spike-window TIME   within this time: 10min, hour, day
  --spike-sample N      then store one event in N
  --origin PATTERN      origin of pages that may send: example.com, *.example.com, https://example.com:8443, *
  --reset               reset all other options to their defaults

LIMIT is [CATEGORY=]QUANTITY/TIME: 1000/s, error=100/min, attachment=50M/hour (bytes). Without a category it applies to
all categories together. session=0 rejects all sessions, session=none removes the limit. Options with LIMIT or PATTERN
can be repeated.`

const options = {
  'per-project': { type: 'string', multiple: true },
  'per-key': { type: 'string', multiple: true },
  'per-address': { type: 'string', multiple: true },
  only: { type: 'string' },
  'spike-protection': { type: 'string' },
  'spike-events': { type: 'string' },
  'spike-window': { type: 'string' },
  'spike-sample': { type: 'string' },
  origin: { type: 'string', multiple: true },
  reset: { type: 'boolean' },
} as const

interface LimitsChange {
  projectText: string
  perProject: LimitChanges
  perKey: LimitChanges
  perAddress: LimitChanges
  onlyKey?: string
  spikeProtection: Partial<SpikeProtectionSettings>
  allowedOrigins?: string[]
  isReset: boolean
}

/**
 * `culvert limits set`: changes a project's limits and prints all of them. A running server applies them
 * within a second.
 */
export const limitsSet: Command = async (args, context) => {
  const change = parseChange(args)
  await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, change.projectText)
    await changeKeys(store, project.id, change)
    const settings = await updateProjectSettings(store, project.id, (before) => applyChange(before, change))
    context.print(toLimitsReport(project, settings, await listKeyRows(store.db, project.id)))
  })
}

function parseChange(args: string[]): LimitsChange {
  const { values, positionals } = readArguments(usage, args, options)
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  if (Object.keys(values).length === 0)
    problems.add('Nothing to set. "culvert limits show" prints the current limits.')
  const limitsOf = (name: 'per-project' | 'per-key' | 'per-address') => {
    const read = parseLimitChanges(values[name] ?? [])
    for (const problem of read.problems) problems.add(`--${name} ${problem}`)
    return read.changes
  }
  const change: LimitsChange = {
    projectText,
    perProject: limitsOf('per-project'),
    perKey: limitsOf('per-key'),
    perAddress: limitsOf('per-address'),
    spikeProtection: parseSpikeProtection(values, problems),
    isReset: values.reset === true,
  }
  if (values.only !== undefined) {
    if (values['per-key'] === undefined) problems.add('--only selects the key for --per-key; add --per-key.')
    change.onlyKey = parseKey(values.only, '--only', problems) ?? ''
  }
  if (values.origin !== undefined) change.allowedOrigins = parseOrigins(values.origin, problems)
  problems.throwIfAny(usage)
  return change
}

/** The changed settings of the spike protection. */
function parseSpikeProtection(
  values: { [Name in `spike-${string}`]?: string },
  problems: Problems,
): Partial<SpikeProtectionSettings> {
  const isOn = values['spike-protection']
  const window = values['spike-window']
  const windowSeconds = window === undefined ? undefined : parseSeconds(window)
  const countOf = (name: 'spike-events' | 'spike-sample') => {
    const text = values[name]
    return text === undefined ? undefined : parseCountOption(text, `--${name}`, problems)
  }
  const [fullEvents, sampleEvery] = [countOf('spike-events'), countOf('spike-sample')]
  if (isOn !== undefined && isOn !== 'on' && isOn !== 'off')
    problems.add(`--spike-protection is ${JSON.stringify(isOn)}: it must be on or off.`)
  if (window !== undefined && windowSeconds === undefined)
    problems.add(`--spike-window is ${JSON.stringify(window)}: it must be a time such as 10min, hour or day.`)
  return {
    ...(isOn !== undefined && { isOn: isOn === 'on' }),
    ...(fullEvents !== undefined && { fullEvents }),
    ...(windowSeconds !== undefined && { windowSeconds }),
    ...(sampleEvery !== undefined && { sampleEvery }),
  }
}

function parseOrigins(texts: readonly string[], problems: Problems): string[] {
  if (texts.length === 1 && texts[0] === 'none') return []
  for (const text of texts) {
    if (!isOriginPattern(text))
      problems.add(
        `--origin is ${JSON.stringify(text)}: it must be one pattern such as *.example.com, or none.`,
      )
  }
  return [...texts]
}

async function changeKeys(store: Store, projectId: number, change: LimitsChange): Promise<void> {
  const keys = await listKeyRows(store.db, projectId)
  if (change.onlyKey !== undefined && !keys.some(({ publicKey }) => publicKey === change.onlyKey)) {
    throw new OperatorError(
      `Project ${projectId} has no key ${change.onlyKey}. "culvert key list ${projectId}" lists its keys.`,
    )
  }
  for (const { publicKey, settings } of keys) {
    const before = change.isReset ? {} : settings.rateLimits
    const changes: LimitChanges = publicKey === change.onlyKey ? change.perKey : new Map()
    const rateLimits = applyLimitChanges(before, changes)
    await updateProjectKey(store, publicKey, { settings: { ...settings, rateLimits } })
  }
}

function applyChange(settings: ProjectSettings, change: LimitsChange): Partial<ProjectSettings> {
  const before = change.isReset ? defaultProjectSettings : settings
  const { project, key, address } = before.rateLimits
  return {
    rateLimits: {
      project: applyLimitChanges(project, change.perProject),
      key: change.onlyKey === undefined ? applyLimitChanges(key, change.perKey) : key,
      ...(address !== undefined && { address }),
      ...(change.perAddress.size > 0 && {
        address: applyLimitChanges(address ?? defaultAddressLimits, change.perAddress),
      }),
    },
    spikeProtection: { ...before.spikeProtection, ...change.spikeProtection },
    allowedOrigins: change.allowedOrigins ?? [...before.allowedOrigins],
  }
}
