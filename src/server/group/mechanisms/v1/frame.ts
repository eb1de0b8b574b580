import type { Frame } from '#protocol/event.ts'
import { findCodeLocation, hasUrlOrigin } from './code-location.ts'
import { findFunctionName } from './function-name.ts'
import { platformFamily } from './platform-family.ts'
import type { PlatformFamily } from './platform-family.ts'

/** A longer line is minified code, and differs with every build. */
const contextLineCharacters = 120

/** Where the SDK reads the line from the source that really runs. */
const familiesWithContextLine: ReadonlySet<PlatformFamily> = new Set(['javascript', 'python', 'php', 'ruby'])

/** Paths of frames that some browsers list and others leave out. */
const enginePaths = new Set(['[native code]', 'native code', 'native', 'eval code', '<anonymous>'])

/**
 * Appends what a frame says to `parts`: its module or file, and its line of source, else its function;
 * nothing when it says nothing. Never its line number, which changes with every edit above.
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

/** One blank for every run of blanks, none at the ends. */
export function collapseBlanks(text: string): string {
  const trimmed = text.trim()
  // To look costs a third of replacing, and nearly every line is as it should be.
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
  // Without a function the "code" may be the HTML page; `{snip}` is where the SDK cut a minified line.
  if (
    family === 'javascript' &&
    ((!frame.function && hasUrlOrigin(frame)) || contextLine.includes('{snip}'))
  ) {
    return undefined
  }
  const line = collapseBlanks(contextLine)
  return line === '' ? undefined : line
}
