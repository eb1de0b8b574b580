import { readFile, stat } from 'node:fs/promises'
import { parseEmail } from '#server/auth/new-accounts.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { applyPlan } from '#server/import/apply-plan.ts'
import { checkPlan } from '#server/import/check-plan.ts'
import { importProject, nothingImported, type ImportCounts } from '#server/import/import-project.ts'
import type { ImportPlan, ImportSource } from '#server/import/plan.ts'
import { toCountsText, toImportReport } from '#server/import/report.ts'
import { createBugsinkApi } from '#server/import/sources/bugsink-api.ts'
import { createSentryApi } from '#server/import/sources/sentry-api.ts'
import { readSentryDump } from '#server/import/sources/sentry-dump.ts'
import { SourceClient, SourceMissing } from '#server/import/sources/source-client.ts'
import { limits } from '#server/limits.ts'
import { hasUsers } from '#server/store/accounts/users.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { parseCountOption, Problems } from '../arguments.ts'
import { readArguments, type Command, type CommandContext } from '../command.ts'
import { createProgressBar } from '../progress.ts'
import { withProjectStore, type ProjectStore } from '../projects/store.ts'

type Tracker = 'sentry' | 'glitchtip' | 'bugsink'

interface ImportArguments {
  /** A URL, or the path of a file. */
  from: string
  organization?: string
  projects: string[]
  eventCount: number
  isApplied: boolean
}

/** `culvert import sentry`: from a backup's file or the web API. */
export const importSentry = importCommand('sentry')

/** `culvert import glitchtip`: from the web API. */
export const importGlitchtip = importCommand('glitchtip')

/** `culvert import bugsink`: from the web API. */
export const importBugsink = importCommand('bugsink')

/** Without `--apply` it prints the planned changes without making them. */
function importCommand(tracker: Tracker): Command {
  const from = tracker === 'sentry' ? 'URL|FILE' : 'URL'
  const organization = tracker === 'bugsink' ? '' : ' [--org SLUG]'
  const usage = `culvert import ${tracker} ${from}${organization} [--project SLUG …] [--events N] [--apply]`
  return async (args, context) => {
    const parsed = parseImportArguments(args, usage)
    const isFile = !/^https?:\/\//i.test(parsed.from)
    if (isFile && tracker !== 'sentry')
      throw new OperatorError(`The URL of the tracker is needed.\nUsage: ${usage}`, 2)
    const source = isFile ? undefined : openSource(tracker, parsed, context)
    const plan = await readPlan(parsed, source)
    await withProjectStore(context, (opened) => runImport({ ...opened, context, parsed, plan, source }), {
      createsInstallation: parsed.isApplied,
    })
  }
}

function parseImportArguments(args: string[], usage: string): ImportArguments {
  const { values, positionals } = readArguments(usage, args, {
    org: { type: 'string' },
    project: { type: 'string', multiple: true },
    events: { type: 'string' },
    apply: { type: 'boolean' },
  })
  const [from = '', ...more] = positionals
  const problems = new Problems()
  if (from === '' || more.length > 0) problems.add('One source is needed.')
  const eventCount =
    values.events === undefined
      ? limits.importedEvents
      : parseCountOption(values.events, '--events', problems)
  if ((eventCount ?? 0) > limits.importedEventsMax)
    problems.add(`--events is at most ${limits.importedEventsMax}.`)
  problems.throwIfAny(usage)
  const organization = values.org
  const isApplied = values.apply === true
  return {
    from,
    organization,
    projects: values.project ?? [],
    eventCount: eventCount ?? limits.importedEvents,
    isApplied,
  }
}

function openSource(
  tracker: Tracker,
  { from, organization, projects }: ImportArguments,
  { variables, report }: CommandContext,
): ImportSource {
  const token = variables['CULVERT_IMPORT_TOKEN'] ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new OperatorError(
      'Set CULVERT_IMPORT_TOKEN to a token of the tracker that may read organizations, projects, members and events.',
      2,
    )
  if (!URL.canParse(from)) throw new OperatorError(`${JSON.stringify(from)} is not a URL.`, 2)
  const client = new SourceClient({ url: from, token, report })
  return tracker === 'bugsink'
    ? createBugsinkApi({ client, projects })
    : createSentryApi({ client, kind: tracker, organization, projects })
}

async function readPlan(
  { from, organization, projects }: ImportArguments,
  source?: ImportSource,
): Promise<ImportPlan> {
  const plan =
    source === undefined ? readSentryDump(await readDump(from), organization) : await source.readPlan()
  if (projects.length === 0) return plan
  const slugs = new Set([
    ...plan.projects.map(({ sourceSlug }) => sourceSlug),
    ...plan.leftOut.map((each) => each.project),
  ])
  const missing = projects.filter((slug) => !slugs.has(slug))
  if (missing.length > 0)
    throw new OperatorError(
      `${JSON.stringify(from)} has no project ${missing.join(', ')}. Nothing was imported.`,
    )
  return { ...plan, projects: plan.projects.filter(({ sourceSlug }) => projects.includes(sourceSlug)) }
}

async function readDump(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > limits.importFileBytes)
      throw new OperatorError(
        `${path} has ${size} bytes: ${limits.importFileBytes} can be read. Export one organization.`,
      )
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot read ${JSON.stringify(path)}: ${errorMessage(error)}`)
  }
}

interface ImportRun extends ProjectStore {
  context: CommandContext
  parsed: ImportArguments
  plan: ImportPlan
  source?: ImportSource
}

/** Imported members end the setup of an installation without accounts: its page creates no more owners. */
function toFirstAccountText({ members }: ImportPlan): string {
  const owner = members.flatMap(({ role, email }) => (role === 'owner' ? (parseEmail(email) ?? []) : []))[0]
  return owner === undefined
    ? 'No owner was imported: "culvert user set-role EMAIL owner" makes an imported member one, "culvert user add EMAIL --role owner" adds another account.\n'
    : `Its members replace the setup: "culvert user reset-password ${owner}" prints a link for this owner.\n`
}

async function runImport({ store, origin, context, parsed, plan, source }: ImportRun): Promise<void> {
  const checked = await checkPlan(store.db, plan)
  context.print(
    toImportReport(checked, { origin, hasIssues: source !== undefined, eventCount: parsed.eventCount }),
  )
  if (checked.problems.length > 0)
    throw new OperatorError(`${checked.problems.join('\n')}\nNothing was imported.`)
  if (!parsed.isApplied) {
    context.print('\nNothing was changed. Add --apply to import.\n')
    return
  }
  const isFirstAccount = !(await hasUsers(store.db))
  const imported = await applyPlan(store, checked)
  const noun = imported.length === 1 ? 'project' : 'projects'
  context.print(`\nImported ${imported.length} ${noun}. Settings → Import shows the next step.\n`)
  if (isFirstAccount && (await hasUsers(store.db))) context.print(toFirstAccountText(plan))
  if (source === undefined) return
  const committer = createCommitter(store)
  const bar = createProgressBar(context)
  try {
    for (const [index, project] of imported.entries()) {
      const name = `${project.slug} (${index + 1} of ${imported.length})`
      const onProgress = (counts: ImportCounts) =>
        bar.show(index / imported.length, `${name}: ${toCountsText(counts)}`)
      onProgress(nothingImported)
      const counts = await importProject(
        { store, committer, source, eventCount: parsed.eventCount, onProgress },
        project,
      )
      bar.end()
      context.print(`${project.slug}: ${toCountsText(counts)}\n`)
    }
  } catch (error) {
    if (!(error instanceof SourceMissing)) throw error
    throw new OperatorError(`${error.message}. Imported data remains; run the command again to continue.`)
  } finally {
    bar.end()
    await committer.close()
  }
}
