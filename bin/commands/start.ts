import { flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { createSetupToken } from '#server/auth/new-accounts.ts'
import { describeDatabaseFailure } from '#server/data-dir/open-installation.ts'
import { findUnknownSettings, isLoopbackHost, requireEnv, type Env } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { builtInProjectId } from '#server/first-projects.ts'
import { applyEnvironmentUpstreams } from '#server/forward/environment-upstreams.ts'
import { readOpenFilesLimit } from '#server/http/connection-limit.ts'
import { loadConsole } from '#server/http/console-app.ts'
import { createIngestOnlyApp } from '#server/http/ingest-only-app.ts'
import { listen } from '#server/http/listen.ts'
import { createFront } from '#server/http/server.ts'
import { stopFront } from '#server/http/stop-front.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { createServices, type Services } from '#server/services.ts'
import { createThreadMapReader } from '#server/source-maps/map-thread/thread-map-reader.ts'
import { hasUsers } from '#server/store/accounts/users.ts'
import { createThreadCommitter } from '#server/store/commit-thread/thread-committer.ts'
import { databaseName } from '#server/store/engine/postgres/url.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { hasLostAccounts } from '#server/store/installation/settings.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { readBuildRelease } from '../build-release.ts'
import { boundHeapGrowth } from '../heap-growth.ts'
import { readOptions, type Command, type CommandContext } from './command.ts'

/** `culvert start`: runs the server until SIGTERM or SIGINT. Resolves when all data is stored and closed. */
export const start: Command = async (args, context) => {
  const { values } = readOptions('culvert start [--ingest-only]', args, {
    'ingest-only': { type: 'boolean' },
  })
  const env = requireEnv(context.variables)
  try {
    await runServer(env, { isIngestOnly: values['ingest-only'] === true, context })
  } catch (error) {
    if (env.databaseUrl === undefined || findUnavailability(error) === undefined) throw error
    throw new OperatorError(describeDatabaseFailure(error, env.databaseUrl))
  }
}

interface StartOptions {
  isIngestOnly: boolean
  context: CommandContext
}

/** Rejects if the start fails. After the log line "listening", failed databases do not end the process. */
async function runServer(env: Env, { isIngestOnly: isIngestWanted, context }: StartOptions): Promise<void> {
  const stopped = waitForSignal()
  boundHeapGrowth()
  const services = await createServices(env, {
    openCommitter: createThreadCommitter,
    openMapReader: createThreadMapReader,
  })
  const unknown = findUnknownSettings(context.variables)
  if (unknown.length > 0) services.log.warn({ unknown }, 'unknown settings have no effect')
  try {
    // Otherwise React and Start load their development builds, which are slower and send error details to
    // browsers.
    process.env['NODE_ENV'] ||= 'production'
    await applyEnvironmentUpstreams(services.store, env.upstreamDsns, services.publicOrigin)
    const isIngestOnly = isIngestWanted || (await mustHideConsole(services))
    const app = isIngestOnly ? createIngestOnlyApp(env) : await loadConsole(context.root, services)
    // Written now, because at exit these thousands of files would keep a stopped server alive while the disk
    // is busy.
    flushCompileCache()
    const server = createFront(services, app, { openFiles: readOpenFilesLimit() })
    const listeningAt = await listen(server, env)
    try {
      await services.announceOrigin(listeningAt)
      await services.heartbeat.start(readBuildRelease(context.variables))
      const welcomeText = await welcome(services, { listeningAt, isIngestOnly })
      services.retention.start()
      services.forwarder.start()
      services.issueTimer.start()
      services.alertDecider.start()
      services.alertDeliverer.start()
      services.mailCheck.start()
      services.monitorClock.start()
      services.log.info(
        { address: listeningAt, origin: services.publicOrigin, data: databaseNameOf(env) },
        'listening',
      )
      context.report(welcomeText)
      const signal = await stopped
      services.log.info({ signal }, 'stopping')
    } finally {
      await stopFront(server, services.readiness)
    }
  } finally {
    await services.close()
  }
  services.log.info({}, 'stopped')
}

/** A signal to a process group arrives twice: directly and through the parent. */
const sameSignalMs = 1_000

/**
 * Resolves with the first signal. Further SIGTERMs are ignored, because process managers repeat them. A
 * SIGINT at least a second later comes from an impatient user: the process exits immediately.
 */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolveSignal) => {
    let firstAt: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        const now = performance.now()
        const isImpatient = signal === 'SIGINT' && firstAt !== undefined && now - firstAt >= sameSignalMs
        if (isImpatient) process.kill(process.pid, 'SIGKILL')
        firstAt ??= now
        resolveSignal(signal)
      })
    }
  })
}

/**
 * Until an owner account exists any client can create one, so only this machine may connect. Throws an
 * `OperatorError` if the host is not a loopback address. If the accounts were lost with a damaged database,
 * ingest must continue: returns true, and only the console remains closed.
 */
async function mustHideConsole({ env: { host }, store, log }: Services): Promise<boolean> {
  if (isLoopbackHost(host) || (await hasUsers(store.db))) return false
  if (await hasLostAccounts(store.db)) {
    log.error(
      { host },
      'the accounts were lost with the damaged database: serving ingest only, see docs/operating.md',
    )
    return true
  }
  throw new OperatorError(
    `HOST is ${JSON.stringify(host)}, which is public, but no account exists yet. Create the owner account with ` +
      '"culvert user add you@example.com --role owner" (in a clone: npm run -s culvert -- user add …), or start with ' +
      'HOST=127.0.0.1 and open the URL that it prints. Then start with this HOST again.',
    2,
  )
}

/** Printed to standard error, because standard output is the log, one JSON object per line. */
async function welcome(
  services: Services,
  { listeningAt, isIngestOnly }: { listeningAt: string; isIngestOnly: boolean },
): Promise<string> {
  const { env, publicOrigin, projectKeys, store } = services
  const project = (await listProjectNames(store.db)).find(({ id }) => id !== builtInProjectId)
  const key = project === undefined ? undefined : await projectKeys.findOfProject(project.id)
  const setupToken = isIngestOnly ? undefined : await createSetupToken(store)
  const lines = [
    `  Culvert runs at  ${listeningAt}`,
    ...(publicOrigin === listeningAt ? [] : [`  Public address   ${publicOrigin}`]),
    ...(project === undefined || key === undefined
      ? []
      : [`  DSN of ${JSON.stringify(project.name).padEnd(9)} ${toProjectDsn(publicOrigin, key)}`]),
    `  Data is in       ${databaseNameOf(env)}`,
    ...(services.startedAlone || env.databaseUrl !== undefined ? [] : ['', ...notAloneNotice]),
    ...(setupToken === undefined
      ? []
      : ['', `  Create the owner account at  ${publicOrigin}/setup?token=${setupToken}`]),
  ]
  return `\n${lines.join('\n')}\n\n`
}

/** The name of the database, without its password. */
function databaseNameOf({ dataDir, databaseUrl }: Env): string {
  return databaseUrl === undefined
    ? join(resolve(dataDir), 'culvert.db')
    : `PostgreSQL, ${databaseName(databaseUrl)}`
}

const notAloneNotice = [
  '  Another process has this data open. Several servers may share it, for instance while one replaces the other:',
  "  no event is lost or counted twice. DSNs have the first server's address until it stops, unless CULVERT_ORIGIN is set.",
]
