import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({
      version: v.optional(v.string()),
      dev: v.optional(v.boolean()),
      license: v.optional(v.string()),
    }),
  ),
})

/**
 * The notices that the licenses of the bundled packages require: one section per package, with its license
 * file. Lists every package that is installed for production, even if the bundle contains nothing of it.
 */
export function readLicenses(root: string): string {
  const lock = v.parse(lockSchema, JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const sections = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license = 'see the package' }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return `${name} ${version} (${license})\n\n${licenseText(join(root, path))}`
    })
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** Empty if the package has no license file, or is for another platform and not installed. */
function licenseText(folder: string): string {
  let files: string[]
  try {
    files = readdirSync(folder)
  } catch {
    return ''
  }
  const file = files.find((name) => /^(?:licen[cs]e|copying)/i.test(name))
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
}
