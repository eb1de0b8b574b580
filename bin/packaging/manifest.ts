import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const projectSchema = v.object({
  name: v.string(),
  version: v.string(),
  description: v.string(),
  license: v.string(),
})

/**
 * The package.json of the package. It has no dependencies: everything is in the bundle, so that `npm install`
 * downloads one file and runs no script.
 */
export function packageManifest(root: string): Record<string, unknown> {
  const project = v.parse(projectSchema, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  return {
    ...project,
    type: 'module',
    engines: { node: '>=24.15' },
    bin: { culvert: 'bin/culvert.js' },
    files: ['bin', 'dist', 'THIRD-PARTY-LICENSES.txt', 'CHANGELOG.md'],
  }
}
