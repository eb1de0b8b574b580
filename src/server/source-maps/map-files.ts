import { zstdDecompressSync } from 'node:zlib'
import * as v from 'valibot'
import type { Connection } from '#server/store/engine/connection.ts'

/** A stored source map. */
export interface MapFile {
  /** Unique and immutable. */
  name: string
  bundleId: number
  read: () => string
}

/** The code whose map is needed. */
export interface MapSearch {
  projectId: number
  /** URL or path, as frames contain it. */
  path: string
  debugId?: string
  release?: string
  dist?: string
}

/** Finds source maps in a database. */
export interface MapFiles {
  /**
   * Finds the map by the code's debug id, otherwise by release and URL: tools that upload without debug ids
   * are used together with SDKs that send them. A map with another debug id is of another build. If there
   * are several, the one uploaded last.
   */
  find(search: MapSearch): MapFile | undefined
}

const MapRow = v.object({
  bundle_id: v.number(),
  number: v.number(),
  byte_count: v.number(),
})

const CodeRow = v.object({ url: v.string(), source_map_url: v.nullable(v.string()) })

const found = `FROM artifact_files f JOIN artifact_bundles b
  ON b.project_id = f.project_id AND b.id = f.bundle_id AND b.is_complete = 1`
const newest = 'ORDER BY b.dist <> ? DESC, b.uploaded_at DESC LIMIT 1'

/** Prepares the statements on a reading connection. */
export function createMapFiles(connection: Connection): MapFiles {
  const byDebugId = connection.prepare(
    `SELECT f.bundle_id, f.number, f.byte_count ${found}
     WHERE f.project_id = ? AND f.debug_id = ? AND f.kind = 'source_map' ORDER BY b.uploaded_at DESC LIMIT 1`,
  )
  const inRelease = `${found} WHERE b.project_id = ? AND b.release = ? AND b.dist IN (?, '')
     AND (? = 0 OR f.debug_id IS NULL OR f.debug_id = ?)`
  const mapByUrl = connection.prepare(
    `SELECT f.bundle_id, f.number, f.byte_count ${inRelease}
     AND f.kind = 'source_map' AND f.url IN (?, ?) ${newest}`,
  )
  const codeByUrl = connection.prepare(
    `SELECT f.url, f.source_map_url ${inRelease}
     AND f.kind <> 'source_map' AND f.url IN (?, ?) ${newest}`,
  )
  const data = connection.prepare(
    'SELECT data FROM artifact_files WHERE project_id = ? AND bundle_id = ? AND number = ?',
  )

  function toMapFile(projectId: number, row: unknown): MapFile | undefined {
    if (row === undefined) return undefined
    const { bundle_id: bundleId, number, byte_count: byteCount } = v.parse(MapRow, row)
    return {
      name: `${projectId}:${bundleId}:${number}`,
      bundleId,
      read() {
        const bytes = data.get(projectId, bundleId, number)?.['data']
        if (!(bytes instanceof Uint8Array)) return ''
        return zstdDecompressSync(bytes, { maxOutputLength: Math.max(byteCount, 1) }).toString()
      },
    }
  }

  function findInRelease(search: MapSearch): MapFile | undefined {
    const { projectId, path, debugId, release, dist = '' } = search
    if (release === undefined) return undefined
    const urls = toArtifactUrls(path)
    const build = [debugId === undefined ? 0 : 1, Buffer.from(debugId ?? '', 'hex')]
    const row: unknown = codeByUrl.get(projectId, release, dist, ...build, ...urls, '')
    const code = row === undefined ? undefined : v.parse(CodeRow, row)
    const maps =
      code?.source_map_url == null
        ? urls.map((url) => `${url}.map`)
        : toArtifactUrls(resolveReference(code.url, code.source_map_url))
    return toMapFile(projectId, mapByUrl.get(projectId, release, dist, ...build, ...maps, ''))
  }

  return {
    find(search) {
      const { projectId, debugId } = search
      const row = debugId === undefined ? undefined : byDebugId.get(projectId, Buffer.from(debugId, 'hex'))
      return toMapFile(projectId, row) ?? findInRelease(search)
    },
  }
}

/**
 * The names under which tools upload a file: the complete URL, and with `~` instead of scheme and host. Query
 * and fragment are ignored.
 */
function toArtifactUrls(path: string): [whole: string, withoutHost: string] {
  const plain = path.replace(/[?#].*$/s, '')
  const below = plain.replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '')
  const name = below.startsWith('~') ? below.slice(1) : below
  return [plain, `~${name.startsWith('/') ? '' : '/'}${name}`]
}

/** Resolves the reference to a map, which may be relative to its code. */
function resolveReference(codeUrl: string, reference: string): string {
  const base = codeUrl.startsWith('~') ? `artifact://host${codeUrl.slice(1)}` : codeUrl
  const url = URL.parse(reference, URL.canParse(base) ? base : `artifact://host/${base.replace(/^\//, '')}`)
  if (url === null) return reference
  return url.protocol === 'artifact:' ? `~${url.pathname}` : url.href
}
