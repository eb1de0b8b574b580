import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { parseDebugId } from '#server/source-maps/debug-id.ts'

/** A file of a bundle as its manifest describes it. */
export interface ManifestFile {
  /** The name of the entry in the archive. Untrusted: no file is ever created with it. */
  path: string
  kind: string
  url: string
  /** 32 lower-case hex digits. */
  debugId?: string
  sourceMapUrl?: string
}

/** The contents of a bundle's manifest. */
export interface Manifest {
  files: ManifestFile[]
  release?: string
  dist?: string
}

/** The manifest, or its error. */
export type ManifestResult = { ok: true; manifest: Manifest } | { ok: false; problem: string }

/**
 * Parses the `manifest.json` of an artifact bundle (getsentry/symbolic, `SourceBundleManifest`). Leaves out
 * invalid files, and files without a debug id and a URL, which could never be found.
 */
export function parseManifest(text: string): ManifestResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, problem: 'manifest.json in the bundle is not JSON' }
  }
  const listed = isJsonObject(value) ? value['files'] : undefined
  if (!isJsonObject(value) || !isJsonObject(listed))
    return { ok: false, problem: 'manifest.json in the bundle lists no files' }
  const entries = Object.entries(listed)
  if (entries.length > limits.artifactBundleFiles)
    return { ok: false, problem: `the bundle has more than ${limits.artifactBundleFiles} files` }
  const [release, dist] = [textOf(value['release']), textOf(value['dist'])]
  return {
    ok: true,
    manifest: {
      files: entries.flatMap(([path, file]) => parseFile(path, file) ?? []),
      release,
      dist,
    },
  }
}

function parseFile(path: string, file: unknown): ManifestFile | undefined {
  if (!isJsonObject(file)) return undefined
  const kind = textOf(file['type'])
  const headers = parseHeaders(file['headers'])
  const debugId = parseDebugId(headers.get('debug-id'))
  const sourceMapUrl = headers.get('sourcemap') ?? headers.get('x-sourcemap')
  const url = textOf(file['url'])
  if (kind === undefined || (url === undefined && debugId === undefined)) return undefined
  return {
    path,
    kind,
    url: url ?? '',
    debugId,
    sourceMapUrl,
  }
}

/** Header names are case-insensitive. */
function parseHeaders(value: unknown): Map<string, string> {
  const headers = isJsonObject(value) ? Object.entries(value) : []
  return new Map(
    headers.flatMap(([name, header]) => {
      const text = textOf(header)
      return text === undefined ? [] : [[name.toLowerCase(), text] as const]
    }),
  )
}

function textOf(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= limits.artifactUrlCharacters
  return isText ? value : undefined
}
