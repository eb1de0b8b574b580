import type { Event, Frame, StackTrace } from '#protocol/event.ts'
import { mapTraces } from './event-frames.ts'
import { placeKey, type MappedPlace, type MappedPlaces } from './mapped-place.ts'

/**
 * Returns the event with source positions: each frame with a known position gets the file, line and context
 * lines of its source. Other frames stay unchanged; without any known position, the event itself is returned.
 */
export function toMappedEvent(event: Event, places: MappedPlaces): Event {
  return places.size === 0 ? event : mapTraces(event, (trace) => mapTrace(trace, places))
}

function mapTrace(trace: StackTrace, places: MappedPlaces): StackTrace {
  const found = trace.frames.map((frame) => findPlace(frame, places))
  if (found.every((place) => place === undefined)) return trace
  return {
    frames: trace.frames.map((frame, index) => {
      const place = found[index]
      // The name of a function is at its call site in the caller: minified code has no names.
      return place === undefined ? frame : mapFrame(frame, place, found[index - 1]?.calleeName)
    }),
  }
}

function findPlace({ absPath, filename, lineNumber, columnNumber }: Frame, places: MappedPlaces) {
  const path = absPath ?? filename
  if (path === undefined || lineNumber === undefined || columnNumber === undefined) return undefined
  return places.get(placeKey({ path, line: lineNumber, column: columnNumber }))
}

function mapFrame(sent: Frame, place: MappedPlace, calleeName: string | undefined): Frame {
  const { source, line, column, isLibrary, contextLine, preContext, postContext } = place
  // The SDK's module and context lines belong to the built file.
  const { module: _module, contextLine: _line, preContext: _pre, postContext: _post, ...kept } = sent
  const name = calleeName ?? sent.function
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
