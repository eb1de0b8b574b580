import { BoundedMap } from '#server/bounded-map.ts'
import { compileGlobs, type GlobOptions } from '#server/filter/glob.ts'
import { limits } from '#server/limits.ts'

/** True if a value matches a rule. */
export type ValueTest = (value: string) => boolean

/** A glob that remembers its answers: the frames of a project's events are the same ones again and again. */
export function createPattern(pattern: string, options: GlobOptions): ValueTest {
  const globs = compileGlobs([pattern], options)
  return rememberAnswers((value) => globs.matches(value))
}

/**
 * A glob for paths, as in Sentry: `*` stays within a folder, `\` is `/`, and a path without a slash has one
 * in front.
 */
export function createPathPattern(pattern: string): ValueTest {
  const globs = compileGlobs([pattern.replaceAll('\\', '/')], { isPath: true })
  return rememberAnswers((value) => {
    const path = value.replaceAll('\\', '/')
    return globs.matches(path) || (!path.startsWith('/') && globs.matches(`/${path}`))
  })
}

function rememberAnswers(test: ValueTest): ValueTest {
  const answers = new BoundedMap<string, boolean>(limits.rememberedRuleAnswers)
  return (value) => answers.getOrCreate(value, () => test(value))
}

/** Families of platforms that rules know. */
export type RuleFamily = 'native' | 'javascript' | 'other'

const families: ReadonlySet<string> = new Set(['native', 'javascript', 'other', 'all'])

/** A test for a list of families, `native,javascript`; undefined when one of them is none. */
export function createFamilyTest(pattern: string): ((family: RuleFamily) => boolean) | undefined {
  const names = pattern.split(',').map((name) => name.trim())
  if (!names.every((name) => families.has(name))) return undefined
  return (family) => names.includes('all') || names.includes(family)
}

/** `yes` or `no` as rules write it. */
export function parseFlag(text: string): boolean | undefined {
  if (['1', 'yes', 'true'].includes(text.toLowerCase())) return true
  return ['0', 'no', 'false'].includes(text.toLowerCase()) ? false : undefined
}
