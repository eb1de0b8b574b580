import { resolve } from 'node:path'
import { copyToPostgres } from '#server/data-dir/copy-to-postgres.ts'
import { requireInstallation } from '#server/data-dir/open-installation.ts'
import { requireEnv } from '#server/env.ts'
import { OperatorError } from '#server/errors.ts'
import { databaseName } from '#server/store/engine/postgres/url.ts'
import { readOptions, type Command } from './command.ts'
import { createProgress } from './progress.ts'

const starts = {
  new: 'Copying',
  continued: 'Continuing to copy',
  again: 'The data directory has changed since the copy began. Copying again',
}

/** `culvert copy`: copies the data directory into the PostgreSQL database of `DATABASE_URL`. */
export const copy: Command = async (args, context) => {
  readOptions('culvert copy', args, {})
  const { dataDir, databaseUrl } = requireEnv(context.variables)
  if (databaseUrl === undefined) {
    throw new OperatorError(
      'Set DATABASE_URL to the URL of an empty PostgreSQL database: the data directory is copied into it.',
      2,
    )
  }
  requireInstallation({ dataDir })
  const [from, to] = [resolve(dataDir), databaseName(databaseUrl)]
  const startedAt = performance.now()
  const { tableCount, rowCount, newRowCount } = await copyToPostgres({
    dataDir,
    databaseUrl,
    clock: Date.now,
    onStart: (start) => context.report(`${starts[start]}: ${from} into ${to}\n`),
    onProgress: createProgress(context),
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const rate = Math.round(newRowCount / seconds).toLocaleString('en')
  context.print(
    `${rowCount.toLocaleString('en')} rows of ${tableCount} tables are in ${to}; counts and sums are equal. ` +
      `${seconds.toFixed(1)} s, ${rate} rows/s.\n` +
      `Start Culvert with this DATABASE_URL from now on. ${from} is unchanged.\n`,
  )
}
