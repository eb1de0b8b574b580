import { resolve } from 'node:path'
import { requireEnv } from '#server/env.ts'
import { databaseName } from '#server/store/engine/postgres/url.ts'
import { readOptions, type Command } from './command.ts'
import { withProjectStore } from './projects/store.ts'

/**
 * `culvert migrate`: migrates the schema of the database to this version, and creates missing tables. The
 * server does the same when it starts; a serverless host never does.
 */
export const migrate: Command = async (args, context) => {
  readOptions('culvert migrate', args, {})
  const { databaseUrl, dataDir } = requireEnv(context.variables)
  await withProjectStore(context, () => Promise.resolve(), {
    createsInstallation: true,
    upgradesSchema: true,
  })
  const name = databaseUrl === undefined ? resolve(dataDir) : databaseName(databaseUrl)
  context.print(`The schema of ${name} is up to date.\n`)
}
