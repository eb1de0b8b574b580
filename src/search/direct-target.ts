/** An object that a text identifies; the console opens it instead of searching. */
export type DirectTarget =
  | { kind: 'digest'; digest: string }
  | { kind: 'event'; eventId: string }
  | { kind: 'issue'; issueId: string }
  /** It may not exist: `pre-order` has the form of a short id, too. */
  | { kind: 'shortId'; slug: string; number: number }

/**
 * Finds the object of an event id, with or without dashes, a digest, a trace id, an issue's short id, or a
 * URL of the console; undefined for other texts. Event ids, trace ids and digests are looked up together.
 */
export function findDirectTarget(text: string): DirectTarget | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > 300 || /\s/.test(trimmed)) return undefined
  const [, page, id = ''] =
    /^https?:\/\/[^/]+\/(issues|events|digest|traces)\/([\w-]+)(?:[/?#].*)?$/i.exec(trimmed) ?? []
  if (page !== undefined) return findPage(page.toLowerCase(), id)
  const hex = trimmed.replaceAll('-', '').toLowerCase()
  if (/^[0-9a-f]{12}$/i.test(trimmed) || isId(trimmed, hex)) return { kind: 'digest', digest: hex }
  return findShortId(trimmed)
}

/** 32 hex digits, alone or in the groups of a UUID. */
function isId(text: string, hex: string): boolean {
  return /^[0-9a-f]{32}$/.test(hex) && (text.length === 32 || /^.{8}-.{4}-.{4}-.{4}-.{12}$/.test(text))
}

function findPage(page: string, id: string): DirectTarget | undefined {
  if (page === 'digest' || page === 'traces') return { kind: 'digest', digest: id }
  if (page === 'events') return { kind: 'event', eventId: id.replaceAll('-', '').toLowerCase() }
  // Other products have such URLs, too, with shorter numbers.
  return /^\d{11,16}$/.test(id) ? { kind: 'issue', issueId: id } : findShortId(id)
}

/** Reads `WEB-1A`, in either case: a project's slug and a number in base 36. */
export function findShortId(text: string): Extract<DirectTarget, { kind: 'shortId' }> | undefined {
  const [, slug, digits = ''] = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([a-z0-9]{1,8})$/i.exec(text) ?? []
  if (slug === undefined) return undefined
  return { kind: 'shortId', slug: slug.toLowerCase(), number: Number.parseInt(digits, 36) }
}
