import type { Frame } from '#protocol/event.ts'
import { findCodeLocation, hasUrlOrigin } from './code-location.ts'
import { findFunctionName } from './function-name.ts'
import { platformFamily, type PlatformFamily } from './platform-family.ts'

/** A longer line is minified code, which differs in every build. */
const contextLineCharacters = 120

/** Platforms whose SDK reads the line from the source code that is running. */
const familiesWithContextLine: ReadonlySet<PlatformFamily> = new Set(['javascript', 'python', 'php', 'ruby'])

/** Paths of frames that only some browsers list. */
const enginePaths = new Set(['[native code]', 'native code', 'native', 'eval code', '<anonymous>'])

/**
 * Appends the contribution of a frame to `parts`: its module or file, and its source line, or else its
 * function; nothing if it has none of these. Never its line number, which changes with every edit above it.
 */
export function appendFrame(frame: Frame, platform: string, parts: string[]): void {
  const family = platformFamily(platform)
  if (family === 'javascript' && isEngineFrame(frame)) return
  const location = findCodeLocation(frame, family)
  const line = findContextLine(frame, family)
  const functionName = line === undefined ? findFunctionName(frame, family) : undefined
  if (location === undefined && line === undefined && functionName === undefined) return
  parts.push('frame')
  if (location !== undefined) parts.push(`in ${location}`)
  if (line !== undefined) parts.push(`line ${line}`)
  if (functionName !== undefined) parts.push(`function ${functionName}`)
}

/** Collapses whitespace to single spaces and trims it. */
export function collapseBlanks(text: string): string {
  const trimmed = text.trim()
  // Testing takes a third of the time of replacing, and nearly every line needs no replacement.
  return /\s\s|[^\S ]/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed
}

function isEngineFrame(frame: Frame): boolean {
  if (enginePaths.has(frame.absPath || frame.filename || '')) return true
  const name = frame.function
  if (!name) return false
  return name === 'eval' || name.endsWith('.eval') || name.startsWith('[native code]')
}

function findContextLine(frame: Frame, family: PlatformFamily): string | undefined {
  const { contextLine } = frame
  if (!contextLine || contextLine.length > contextLineCharacters) return undefined
  if (!familiesWithContextLine.has(family)) return undefined
  // Without a function the "code" may be the HTML page; `{snip}` is where the SDK truncated a minified line.
  if (
    family === 'javascript' &&
    ((!frame.function && hasUrlOrigin(frame)) || contextLine.includes('{snip}'))
  ) {
    return undefined
  }
  const line = collapseBlanks(contextLine)
  return line === '' ? undefined : line
}
