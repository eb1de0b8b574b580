import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { withLock } from './lock.mjs'
import { npmFlags } from './npm.mjs'
import { root } from './root.mjs'
import { hasStamp, removeStamp, writeStamp } from './stamp.mjs'
import { runStep, StepFailed } from './step.mjs'

/** Culvert needs node:sqlite, zstd and type stripping without flags. */
const oldest = { major: 24, minor: 15 }
/** The version installed next to an older Node: the npm package with the binary of one platform. */
const version = '24.21.0'

const platform = process.platform === 'win32' ? 'win' : process.platform
const packageName = `node-${platform}-${process.arch}`
const folder = '.node'
const stamp = join(folder, 'stamp')
const ownBinary = join(
  root,
  folder,
  'node_modules',
  packageName,
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/**
 * Finds a Node that can run Culvert: the current one, otherwise one installed in `.node`.
 *
 * @returns {Promise<{ binary: string, path: string }>} the program, and a PATH with it in front
 * @throws {StepFailed} if it cannot be installed, with instructions
 */
export async function ensureNode() {
  if (isNewEnough(process.versions.node)) return { binary: process.execPath, path: process.env.PATH ?? '' }
  const fingerprint = `${packageName}@${version}`
  if (!hasStamp(stamp, fingerprint)) {
    await withLock(async () => {
      if (!hasStamp(stamp, fingerprint)) await install(fingerprint)
    })
  }
  return { binary: ownBinary, path: [dirname(ownBinary), process.env.PATH].join(delimiter) }
}

async function install(fingerprint) {
  const advice = `Culvert needs Node ${oldest.major}.${oldest.minor} or newer. Install it from https://nodejs.org and try again.`
  removeStamp(stamp)
  await runStep(
    `Installing Node ${version} into ${folder} (this machine's is ${process.versions.node})`,
    ['npm', 'install', '--prefix', folder, '--no-save', '--no-package-lock', ...npmFlags, fingerprint],
    { advice },
  )
  const probe = spawnSync(ownBinary, ['--version'], { encoding: 'utf8' })
  if (probe.stdout?.trim() !== `v${version}`) {
    throw new StepFailed(`The Node that was installed into ${folder} does not run on this system. ${advice}`)
  }
  writeStamp(stamp, fingerprint)
}

function isNewEnough(text) {
  const [major = 0, minor = 0] = text.split('.').map(Number)
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
}
