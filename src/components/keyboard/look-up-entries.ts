import { findDirectTarget } from '#search/direct-target.ts'
import type { PaletteEntry } from './palette.tsx'

/** The possible targets of a text: an id, a digest, or a URL of the console. */
export function lookUps(text: string): PaletteEntry[] {
  const traceId = /^(?:https?:\/\/[^/]+\/traces\/)?([0-9a-f]{32})(?:[/?#].*)?$/i.exec(text)?.[1]
  return [
    ...listTargets(text),
    ...(traceId === undefined ? [] : [lookUp(`Trace ${traceId}`, `/traces/${traceId.toLowerCase()}`)]),
    // Twelve digits can also be a digest.
    ...(/^\d{11,16}$/.test(text) ? [lookUp(`Issue ${text}`, `/issues/${text}`)] : []),
  ]
}

function listTargets(text: string): PaletteEntry[] {
  const target = findDirectTarget(text)
  switch (target?.kind) {
    case 'digest':
      return [lookUp(`Digest, event or trace ${target.digest}`, `/digest/${target.digest}`)]
    case 'event':
      return [lookUp(`Event ${target.eventId}`, `/events/${encodeURIComponent(target.eventId)}`)]
    case 'issue':
      return [lookUp(`Issue ${target.issueId}`, `/issues/${encodeURIComponent(target.issueId)}`)]
    case 'shortId':
    case undefined:
      break
  }
  // Any hex digits can be part of an id; shorter texts are not offered.
  return /^[0-9a-f-]{6,40}$/i.test(text)
    ? [lookUp(`Event, digest or trace ${text}`, `/digest/${encodeURIComponent(text)}`)]
    : []
}

function lookUp(text: string, href: string): PaletteEntry {
  return { id: `look-up-${href}`, text, href }
}

/** The search of all issues for a text. */
export function searches(text: string): PaletteEntry[] {
  if (text === '') return []
  const href = `/issues?q=${encodeURIComponent(text)}&status=all`
  return [{ id: 'search', text: `Search all issues for “${text}”`, href }]
}
