import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { fingerprintOf, hasStamp, listFiles, readText, removeStamp, writeStamp } from './stamp.mjs'
import { runStep } from './step.mjs'

const inputs = ['app.config.ts', 'vite.config.ts', 'tsconfig.json', 'package-lock.json']
/** Everything in bin/ but what checks and sets up a clone. */
const isOfBuild = (path) => !/^bin.(?:checks|setup).|^bin.(?:check|test|setup)\.m?[jt]s$/.test(path)
/** The build generates the route tree and contains no tests. */
const isBuildInput = (path) => !/\.test\.tsx?$|routeTree\.gen\.ts$/.test(path)

/**
 * Builds into dist/, or with VERCEL in `env` into .vercel/output, if a source, the configuration, the lock
 * file or the release changed.
 */
export async function ensureBuild(nodeBinary, env) {
  const folder = env.VERCEL ? join('.vercel', 'output') : 'dist'
  const stamp = join(folder, '.culvert-stamp')
  const fingerprint = buildFingerprint()
  if (hasStamp(stamp, fingerprint)) return
  await withLock(async () => {
    if (hasStamp(stamp, fingerprint)) return
    mkdirSync(folder, { recursive: true })
    removeStamp(stamp)
    await runStep('Building', [nodeBinary, join('bin', 'build.ts')], {
      env: { ...env, NODE_ENV: 'production' },
    })
    writeStamp(stamp, fingerprint)
  })
}

/** The console serves the guides as the build found them. */
function guides() {
  return listFiles('docs').filter((path) => /^docs.[a-zA-Z-]+\.md$/.test(path))
}

function buildFingerprint() {
  const sources = [...listFiles('src'), ...listFiles('bin').filter(isOfBuild)].filter(isBuildInput)
  const files = [...inputs, ...sources, ...listFiles('public'), ...guides()]
  return fingerprintOf([...releaseNames(), ...files.flatMap((path) => [path, readText(path)])])
}

/**
 * The inputs of the release's name (bin/build-release.ts): a new commit is a new release even with the same
 * sources.
 */
function releaseNames() {
  const head = spawnSync('git', ['rev-parse', 'HEAD'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return [process.env.SENTRY_RELEASE ?? '', process.env.CULVERT_CRON_SCHEDULE ?? '', head.stdout ?? '']
}
