import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { npmFlags } from './npm.mjs'
import { fingerprintOf, hasStamp, readText, writeStamp } from './stamp.mjs'
import { runStep } from './step.mjs'

const stamp = join('node_modules', '.culvert-stamp')

/**
 * Installs the lock file's dependencies if they differ from the installed ones or if those are for another
 * platform.
 */
export async function ensureDependencies(env) {
  const fingerprint = dependencyFingerprint()
  if (hasStamp(stamp, fingerprint)) return
  await withLock(async () => {
    if (hasStamp(stamp, fingerprint)) return
    await runStep(
      'Installing dependencies',
      // The build needs the development dependencies even with NODE_ENV=production.
      ['npm', 'ci', '--include=dev', '--prefer-offline', ...npmFlags],
      { env },
    )
    writeStamp(stamp, fingerprint)
  })
}

/** Only the fields of package.json that affect dependencies: a new script requires no installation. */
function dependencyFingerprint() {
  const { dependencies, devDependencies, overrides } = JSON.parse(readText('package.json'))
  return fingerprintOf([
    `${process.platform}-${process.arch}`,
    JSON.stringify({ dependencies, devDependencies, overrides }),
    readText('package-lock.json'),
  ])
}
