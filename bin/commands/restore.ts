import { resolve } from 'node:path'
import { rejectDatabaseUrl } from '#server/data-dir/open-installation.ts'
import { restoreBackup } from '#server/data-dir/restore.ts'
import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { readArguments, type Command } from './command.ts'
import { createProgress } from './progress.ts'

const usage = 'culvert restore FILE'

/** `culvert restore`: replaces the database with a backup and keeps the old one. No server may run. */
export const restore: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const [source, ...more] = positionals
  if (source === undefined || more.length > 0)
    throw new OperatorError(`One file is needed.\nUsage: ${usage}`, 2)
  const env = requireEnv(context.variables)
  rejectDatabaseUrl(env, 'restore the database with pg_restore.')
  const { dataDir } = env
  const { replaced } = await restoreBackup({
    dataDir,
    source,
    clock: Date.now,
    onProgress: createProgress(context),
  })
  context.print(`The backup is restored into ${resolve(dataDir)}\n`)
  if (replaced !== undefined) context.print(`The previous database is kept as ${replaced}\n`)
}
