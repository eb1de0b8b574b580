import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { readBuildRelease } from '../build-release.ts'
import { readOptions, type Command } from './command.ts'

const Manifest = v.object({ version: v.string() })

/** `culvert version`: the version, the release of the build, and the version of its schema. */
export const version: Command = async (args, context) => {
  readOptions('culvert version', args, {})
  const { sqlite } = await readOwnMigrations()
  const release = readBuildRelease(context.variables)
  const schema = sqlite.at(-1)?.version ?? 0
  context.print(
    `culvert ${readVersion(context.root)} (${release}), schema ${schema}, Node.js ${process.versions.node}\n`,
  )
}

/** The version in `package.json`, of a clone or of the installed package. */
export function readVersion(root: string): string {
  return v.parse(Manifest, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version
}
