import { createBackup } from '#server/data-dir/backup.ts'
import { requireDataDir } from '#server/data-dir/open-installation.ts'
import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { readArguments, type Command } from './command.ts'
import { createProgress } from './progress.ts'
import { sizeText } from './size-text.ts'

const usage = 'culvert backup FILE [--force]'

/** `culvert backup`: copies the database into one verified file, even while a server runs. */
export const backup: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, { force: { type: 'boolean' } })
  const [target, ...more] = positionals
  if (target === undefined || more.length > 0)
    throw new OperatorError(`One file is needed.\nUsage: ${usage}`, 2)
  const env = requireEnv(context.variables)
  requireDataDir(env, 'back up the database with pg_dump.')
  const { dataDir } = env
  const startedAt = performance.now()
  const { path, bytes } = await createBackup({
    dataDir,
    target,
    overwrites: values.force === true,
    clock: Date.now,
    onProgress: createProgress(context),
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  context.print(`${path}: ${sizeText(bytes)} in ${seconds} s, every page checked\n`)
}
