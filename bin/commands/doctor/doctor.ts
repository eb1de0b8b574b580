import { databasePath } from '#server/data-dir/database-file.ts'
import { diagnose, type Diagnosis } from '#server/data-dir/diagnosis.ts'
import { requireInstallation } from '#server/data-dir/open-installation.ts'
import { requireEnv, type Env } from '#server/env.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { openReaderConnection } from '#server/store/engine/open-reader.ts'
import { readInstallationHealth } from '#server/store/installation/health.ts'
import { readUpstreamFigures } from '#server/store/upstreams/figures.ts'
import { readBuildRelease } from '../../build-release.ts'
import { readOptions, type Command } from '../command.ts'
import { readVersion } from '../version.ts'
import { problem, type Check } from './check.ts'
import { toDataReport } from './data-report.ts'
import { checkFile, checkPostgres } from './database-checks.ts'
import { checkDeliveries } from './delivery-checks.ts'
import { checkDataDir, checkMail, checkNode, checkSecret, checkSettings } from './machine-checks.ts'
import { checkAddress, checkVersions, type ProgramVersion } from './server-checks.ts'

const usage = 'culvert doctor [--json]'

/**
 * `culvert doctor`: checks the machine, the data, the settings and the running server, without changes. Exits
 * with 1 if it finds a problem; warnings alone exit with 0.
 */
export const doctor: Command = async (args, context) => {
  const { values } = readOptions(usage, args, { json: { type: 'boolean' } })
  const env = requireEnv(context.variables)
  requireInstallation(env)
  const program = { version: readVersion(context.root), release: readBuildRelease(context.variables) }
  const { checks: found, diagnosis } = await runChecks(env, program)
  const checks = [...checkSettings(context.variables), ...found]
  const problems = checks.filter(({ status }) => status === 'problem')
  if (values.json === true) {
    const warningCount = checks.filter(({ status }) => status === 'warning').length
    const summary = { ...program, problemCount: problems.length, warningCount, checks }
    context.print(`${JSON.stringify(summary, null, 2)}\n`)
  } else {
    context.print(checks.map(toLine).join(''))
    if (diagnosis !== undefined) context.print(`\n${toDataReport(diagnosis, env)}`)
  }
  if (problems.length === 0) return
  throw new OperatorError(problems.map((each) => `PROBLEM  ${toText(each)}`).join('\n'))
}

async function runChecks(
  env: Env,
  program: ProgramVersion,
): Promise<{ checks: Check[]; diagnosis: Diagnosis | undefined }> {
  const machine = [checkNode(process.versions.node), checkDataDir(env)]
  const mail = await checkMail(env)
  if (env.databaseUrl !== undefined) {
    const { checks, isReadable } = await checkPostgres(env.databaseUrl, env)
    const more = isReadable ? await checkContent(env, { path: env.databaseUrl, program }) : []
    return { checks: [...machine, ...checks, ...more, mail], diagnosis: undefined }
  }
  const diagnosis = await diagnose(env.dataDir, Date.now())
  const more = await checkContent(env, { path: databasePath(env.dataDir), program })
  const texts = new Set(more.map(({ text }) => text))
  const file = checkFile(diagnosis, env).filter(({ text }) => !texts.has(text))
  return { checks: [...machine, ...file, ...more, mail], diagnosis }
}

/** Checks the data in the tables. Skips what a damaged or older database lacks. */
async function checkContent(
  env: Env,
  { path, program }: { path: string; program: ProgramVersion },
): Promise<Check[]> {
  const connection = openReaderConnection(path)
  try {
    const now = Date.now()
    const health = readInstallationHealth(connection, now)
    const facts = { env, health, program }
    return [
      checkVersions(facts),
      await checkSecret(env, health),
      ...(await checkAddress(facts)),
      ...checkDeliveries(health, {
        upstreams: readUpstreamFigures({ connection }),
        secret: env.secret ?? health.storedSecret,
        now,
      }),
    ]
  } catch (error) {
    return [problem('Content', `The tables cannot be read: ${errorMessage(error)}.`)]
  } finally {
    connection.close()
  }
}

function toLine(check: Check): string {
  const remedy = check.remedy === undefined ? '' : `${''.padEnd(26)}${check.remedy}\n`
  return `${check.status.padEnd(9)}${check.name.padEnd(17)}${check.text}\n${remedy}`
}

function toText({ text, remedy }: Check): string {
  return remedy === undefined ? text : `${/[.!?]$/.test(text) ? text : `${text}.`} ${remedy}`
}
