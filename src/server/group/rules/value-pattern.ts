import { BoundedMap } from '#server/bounded-map.ts'
import { compileGlobs, type GlobOptions } from '#server/filter/glob.ts'
import { limits } from '#server/limits.ts'

/** True if a value matches a rule. */
export type ValueTest = (value: string) => boolean

/** A glob that caches its results, because the frames of a project's events repeat. */
export function createPattern(pattern: string, options: GlobOptions): ValueTest {
  const globs = compileGlobs([pattern], options)
  return cacheResults((value) => globs.matches(value))
}

/**
 * A glob for paths, as in Sentry: `*` does not match slashes, `\` equals `/`, and a path without a slash is
 * prefixed with one.
 */
export function createPathPattern(pattern: string): ValueTest {
  const globs = compileGlobs([pattern.replaceAll('\\', '/')], { isPath: true })
  return cacheResults((value) => {
    const path = value.replaceAll('\\', '/')
    return globs.matches(path) || (!path.startsWith('/') && globs.matches(`/${path}`))
  })
}

function cacheResults(test: ValueTest): ValueTest {
  const answers = new BoundedMap<string, boolean>(limits.cachedRuleResults)
  return (value) => answers.getOrCreate(value, () => test(value))
}

/** Platform families in rules. */
export type RuleFamily = 'native' | 'javascript' | 'other'

const families: ReadonlySet<string> = new Set(['native', 'javascript', 'other', 'all'])

/** A test for a list of families, `native,javascript`; undefined if one of them is unknown. */
export function createFamilyTest(pattern: string): ((family: RuleFamily) => boolean) | undefined {
  const names = pattern.split(',').map((name) => name.trim())
  if (!names.every((name) => families.has(name))) return undefined
  return (family) => names.includes('all') || names.includes(family)
}

/** Parses `yes` or `no`. */
export function parseFlag(text: string): boolean | undefined {
  if (['1', 'yes', 'true'].includes(text.toLowerCase())) return true
  return ['0', 'no', 'false'].includes(text.toLowerCase()) ? false : undefined
}
