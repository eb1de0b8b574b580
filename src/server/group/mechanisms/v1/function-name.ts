import type { Frame } from '#protocol/event.ts'
import { cleanCsharpName } from './code-location.ts'
import { trimNativeFunction } from './native-function.ts'
import type { PlatformFamily } from './platform-family.ts'

const namelessFunctions = new Set([
  '',
  '?',
  '??',
  '<anonymous>',
  '<anonymous function>',
  '<anonymous closure>',
  'Anonymous function',
  '[Anonymous function]',
  'anonymous',
  '{anonymous}',
  'global code',
  'module code',
  'eval code',
  '<global>',
  '<fn>',
  '<unknown>',
  'unknown',
  '<redacted>',
  // The name after stripping symbols in Sentry's own corpus of native crashes: every frame of the application
  // has it.
  'stripped_application_code',
])

/** The stable part of a frame's function name; undefined if there is none. */
export function findFunctionName(frame: Frame, family: PlatformFamily): string | undefined {
  const written = frame.function || frame.rawFunction || frame.symbol
  if (!written) return undefined
  const name = cleaners[family](written)
  return namelessFunctions.has(name) ? undefined : name
}

type NameCleaner = (name: string) => string

const unchanged: NameCleaner = (name) => name

const cleaners: Record<PlatformFamily, NameCleaner> = {
  javascript: cleanJavascriptFunction,
  native: trimNativeFunction,
  java: (name) => (name.startsWith('lambda$') ? '' : name.replace(/(\$lambda)[-$]\d+/g, '$1')),
  csharp: (name) => cleanCsharpName(name.replace(/\s*\(.*$/s, '').replace(/`\d+/g, '')),
  php: cleanPhpFunction,
  ruby: cleanRubyFunction,
  go: (name) => name.replace(/\.func\d+(?:\.\d+)*/g, '.func'),
  python: unchanged,
  dart: unchanged,
  other: unchanged,
}

/**
 * The last part of a dotted name: three browsers call the same function `Foo.bar`, `Object.bar` and `bar`.
 *
 * Firefox writes `async*bar` for a continuation, `outer/inner` for a nested and `outer/<` for an anonymous
 * function.
 */
function cleanJavascriptFunction(name: string): string {
  if (name.endsWith('/<')) return ''
  const bare = name
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/^.*\*/, '')
    .replace(/<$/, '')
  const last = bare.slice(Math.max(bare.lastIndexOf('.'), bare.lastIndexOf('/')) + 1)
  return last.replace(/^(?:async|new|get|set|bound) /, '')
}

/** An anonymous class contains its file's path and an address, a closure since PHP 8.4 its line. */
function cleanPhpFunction(name: string): string {
  if (name.startsWith('[Anonymous')) return ''
  return name
    .replace(/(class@anonymous)[\0/].*?(?=::|->|$)/gs, '$1')
    .replace(/\{closure:[^}]*\}/g, '{closure}')
}

/**
 * A block is identified by its method; callbacks, ERB templates and `define_method` contain numbers that are
 * assigned at run time.
 */
function cleanRubyFunction(name: string): string {
  return name
    .replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '')
    .replace(/_+\d{2,}(?=_|$)/g, '')
}
