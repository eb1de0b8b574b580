import type { Event, Frame, StackTrace } from '#protocol/event.ts'
import { mapTraces } from './event-frames.ts'
import { locationKey, type MappedLocation, type MappedLocations } from './mapped-location.ts'

/**
 * Returns the event with source positions: each frame with a known position gets the file, line and context
 * lines of its source. Other frames stay unchanged; without any known position, the event itself is returned.
 */
export function toMappedEvent(event: Event, locations: MappedLocations): Event {
  return locations.size === 0 ? event : mapTraces(event, (trace) => mapTrace(trace, locations))
}

function mapTrace(trace: StackTrace, locations: MappedLocations): StackTrace {
  const found = trace.frames.map((frame) => findLocation(frame, locations))
  if (found.every((location) => location === undefined)) return trace
  return {
    frames: trace.frames.map((frame, index) => {
      const location = found[index]
      // The name of a function is at its call site in the caller: minified code has no names.
      return location === undefined ? frame : mapFrame(frame, location, found[index - 1]?.calleeName)
    }),
  }
}

function findLocation({ absPath, filename, lineNumber, columnNumber }: Frame, locations: MappedLocations) {
  const path = absPath ?? filename
  if (path === undefined || lineNumber === undefined || columnNumber === undefined) return undefined
  return locations.get(locationKey({ path, line: lineNumber, column: columnNumber }))
}

function mapFrame(sent: Frame, location: MappedLocation, calleeName: string | undefined): Frame {
  const { source, line, column, isLibrary, contextLine, preContext, postContext } = location
  // The SDK's module and context lines belong to the built file.
  const { module: _module, contextLine: _line, preContext: _pre, postContext: _post, ...kept } = sent
  const name = chooseName(sent.function, calleeName)
  return {
    ...kept,
    filename: source,
    absPath: source,
    lineNumber: line,
    columnNumber: column,
    ...(name !== undefined && { function: name }),
    ...(isLibrary && { inApp: false }),
    ...(contextLine !== undefined && { contextLine }),
    ...(preContext !== undefined && { preContext }),
    ...(postContext !== undefined && { postContext }),
  }
}

/**
 * A name that no minifier produces: those have at most three characters. Some stand for no name: of exports,
 * and of methods that Babel defines as a `value`.
 */
const readableName = /^(?!(?:anonymous|_?default(?:_\d+)?|exports|value)$)[A-Za-z_$][\w$]{3,}$/

/**
 * The name in the caller's source, unless the built code has one: a caller may call the function `checkout`
 * by a variable such as `handler`.
 */
function chooseName(built: string | undefined, calleeName: string | undefined): string | undefined {
  if (built === undefined || calleeName === undefined) return calleeName ?? built
  const last = built.slice(built.lastIndexOf('.') + 1)
  // Bundlers append a number to a name that another module uses, too.
  return readableName.test(last) && last.replace(/\$?\d+$/, '') !== calleeName ? built : calleeName
}
