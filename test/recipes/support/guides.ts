import { sdkSetupGuides } from '#components/project/sdk-snippets.ts'
import { type FixtureName, installedVersion } from './fixture-install.ts'

/** A set-up guide of the console, by the use of its steps. */
export interface Guide {
  /** The package and major version that its shell command installs: `@sentry/react@10`. */
  install: string
  /** Files by their path. */
  files: Record<string, string>
  /** The command of "Start it". */
  start?: string
  /** The code of "Try it". */
  tryIt?: string
}

/** A path at the start of a label: `src/main.ts, before anything else`. */
const pathLabel = /^[\w./-]+\.(?:tsx?|mjs|vue)\b/

/**
 * Reads the guide with this id, with a DSN filled in. Throws if a step is neither a shell command, a file,
 * "Start it" nor "Try it": such a step would not be run.
 */
export function readGuide(id: string, dsn: string): Guide {
  const guide: Guide = { install: '', files: {} }
  for (const { label, code } of stepsOf(id, dsn)) {
    const path = pathLabel.exec(label)?.[0]
    if (path !== undefined) guide.files[path] = code
    else if (label === 'Shell') guide.install = installedPackage(code)
    else if (label === 'Start it') guide.start = code
    else if (label === 'Try it') guide.tryIt = code
    else throw new Error(`No test runs the step "${label}" of the guide for ${id}.`)
  }
  return guide
}

/** The steps of the guide with this id. Throws if there is none. */
export function stepsOf(id: string, dsn: string) {
  const guide = sdkSetupGuides(dsn).find((one) => one.id === id)
  if (guide === undefined) throw new Error(`There is no guide for ${id}.`)
  return guide.steps
}

/** The package and its version in `npm install @sentry/react@10`. Throws for any other command. */
function installedPackage(command: string): string {
  const [, name] = /^npm install (@sentry\/[\w-]+@\d+)$/.exec(command) ?? []
  if (name === undefined) throw new Error(`No test runs the command: ${command}`)
  return name
}

/** Expects that a fixture pins the major version that the guide installs, or one of `majors`. */
export function expectInstalls(guide: Guide, install: FixtureName, majors: readonly string[] = []): void {
  const [, name = '', major = ''] = /^(.+)@(\d+)$/.exec(guide.install) ?? []
  const pinned = installedVersion(install, name)
  if (![major, ...majors].includes(pinned.split('.')[0] ?? '')) {
    throw new Error(
      `The guide installs ${guide.install}, and test/fixtures/recipes/${install} has ${pinned}.`,
    )
  }
}
