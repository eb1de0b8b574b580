import { releaseSorts, type ReleaseSort } from './views.ts'

/** A place in the list of releases: on which side of which release a page lies. */
export interface ReleaseCursor {
  sort: ReleaseSort
  side: 'after' | 'before'
  versionOrder: string
  datedAt: number
  projectId: number
  version: string
}

/** The cursor as it stands in a URL. Opaque: its form may change, and one that no longer fits is the first page. */
export function formatReleaseCursor(cursor: ReleaseCursor): string {
  const { sort, side, versionOrder, datedAt, projectId, version } = cursor
  return Buffer.from(JSON.stringify([sort, side, versionOrder, datedAt, projectId, version])).toString(
    'base64url',
  )
}

/** Reads a cursor; undefined when it is damaged or belongs to another order. */
export function parseReleaseCursor(text: string | undefined, order: ReleaseSort): ReleaseCursor | undefined {
  const fields = text === undefined ? undefined : parseFields(text)
  if (fields === undefined) return undefined
  const [sort, side, versionOrder, datedAt, projectId, version] = fields
  if (releaseSorts.find((known) => known === sort) !== order || typeof versionOrder !== 'string')
    return undefined
  if (!Number.isSafeInteger(datedAt) || !Number.isSafeInteger(projectId) || typeof version !== 'string')
    return undefined
  return {
    sort: order,
    side: side === 'before' ? 'before' : 'after',
    versionOrder,
    datedAt: Number(datedAt),
    projectId: Number(projectId),
    version,
  }
}

function parseFields(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
