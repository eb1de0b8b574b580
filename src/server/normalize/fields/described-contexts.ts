import type { JsonObject } from '#protocol/json.ts'

/** A description is longer than this only if an application invented it. */
const descriptionCharacters = 200

/**
 * Adds name and version of the operating system and the runtime where the SDK sent only a description, as
 * those of .NET and Unity do: `Microsoft Windows NT 10.0.19045.0`, `Debian GNU/Linux 12 (bookworm)`.
 */
export function addDescribedNames(contexts: Record<string, JsonObject>): void {
  for (const key of ['os', 'runtime']) {
    const context = contexts[key]
    const description = context?.['raw_description']
    if (typeof description !== 'string' || context?.['name'] !== undefined) continue
    contexts[key] = { ...readDescription(description.slice(0, descriptionCharacters)), ...context }
  }
}

function readDescription(description: string): JsonObject {
  const windows = /^(?:Microsoft )?Windows\b[^.]*?(\d+\.\d+\.(\d+))/.exec(description)
  if (windows !== null) {
    const [, version = '', build = ''] = windows
    return { name: 'Windows', version: windowsVersion(Number(build)) ?? version, build }
  }
  const [, sentName, version] = /^(\D*?) v?(\d+(?:\.\d+)*)/.exec(description) ?? []
  if (sentName === undefined || version === undefined || sentName === '') return {}
  const name = productNames.get(sentName) ?? sentName
  // The output of `uname` has the version of the kernel.
  return kernels.has(name) ? { name, kernel_version: version } : { name, version }
}

const productNames = new Map([
  ['Mac OS X', 'macOS'],
  ['Android OS', 'Android'],
])

const kernels: ReadonlySet<string> = new Set(['Linux', 'Darwin', 'Unix'])

/** By build, which does not distinguish servers from desktops: those between 10 and 11 are servers only. */
function windowsVersion(build: number): string | undefined {
  if (build >= 22_000) return '11'
  return build >= 10_240 && build <= 19_045 ? '10' : undefined
}
