import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readLicenses } from './packaging/licenses.ts'
import { packageManifest } from './packaging/manifest.ts'
import { bundleConsole } from './packaging/programs.ts'

/**
 * `npm run package`: makes the npm package of the build in `dist`, a folder and a tarball below `.package`,
 * and prints the path of the tarball. The package has no dependencies: its bundles contain them.
 */
const root = join(import.meta.dirname, '..')
const output = join(root, '.package')
const folder = join(output, 'culvert')

rmSync(output, { recursive: true, force: true })
mkdirSync(join(folder, 'bin'), { recursive: true })
for (const name of ['client', 'program'])
  cpSync(join(root, 'dist', name), join(folder, 'dist', name), { recursive: true })
await bundleConsole(folder, { hasAllPackages: true })
const launcher = join(folder, 'bin', 'culvert.js')
cpSync(join(root, 'bin', 'packaging', 'launcher.mjs'), launcher)
chmodSync(launcher, 0o755)
for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(folder, name))
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), readLicenses(root))
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(root), null, 2)}\n`)
const packed = execFileSync(
  'npm',
  ['pack', '--ignore-scripts', '--silent', '--pack-destination', output, folder],
  {
    cwd: output,
    encoding: 'utf8',
  },
)
process.stdout.write(`${relative(process.cwd(), join(output, packed.trim()))}\n`)
