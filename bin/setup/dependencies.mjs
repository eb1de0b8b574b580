import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { npmFlags } from './npm.mjs'
import { fingerprintOf, hasStamp, readText, writeStamp } from './stamp.mjs'
import { runStep } from './step.mjs'

const stamp = join('node_modules', '.culvert-stamp')

/**
 * Installs exactly what the lock file says, when it says something else than what is installed, or when what
 * is installed was made for another platform.
 */
export async function ensureDependencies(env) {
  const fingerprint = dependencyFingerprint()
  if (hasStamp(stamp, fingerprint)) return
  await withLock(async () => {
    if (hasStamp(stamp, fingerprint)) return
    await runStep(
      'Installing dependencies',
      // The build needs the development dependencies, also where NODE_ENV=production would leave them out.
      ['npm', 'ci', '--include=dev', '--prefer-offline', ...npmFlags],
      { env },
    )
    writeStamp(stamp, fingerprint)
  })
}

/** Of package.json only what decides about dependencies: a new script is no reason to install again. */
function dependencyFingerprint() {
  const { dependencies, devDependencies, overrides } = JSON.parse(readText('package.json'))
  return fingerprintOf([
    `${process.platform}-${process.arch}`,
    JSON.stringify({ dependencies, devDependencies, overrides }),
    readText('package-lock.json'),
  ])
}
