import type { Frame } from '#protocol/event.ts'

/** Code hosts whose line addresses are known. `gitea` includes Forgejo. */
export const codeHosts = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type CodeHost = (typeof codeHosts)[number]

/** A folder of the running application, and the folder of the repository with its files. */
export interface SourceRoot {
  /** A prefix of frames' paths, such as `/app/`. */
  from: string
  /** The folder in the repository, without a leading slash: `packages/shop/`, or empty. */
  to: string
}

/** Location of a project's code. */
export interface SourceLinkSettings {
  host: CodeHost
  /** URL of the repository, with http or https and without a trailing slash; empty: no links. */
  url: string
  /** Branch for events whose release has no commit. */
  branch: string
  roots: readonly SourceRoot[]
}

/** Maximum length of a linked path. Longer ones do not come from a repository. */
const longestPath = 1_000

/**
 * The address of a frame's line in the code host; undefined if its path is not known to be in the repository.
 * Only the path and the line come from the event, and every part of the path is encoded.
 */
export function toSourceUrl(
  settings: SourceLinkSettings,
  { filename, absPath, lineNumber }: Pick<Frame, 'filename' | 'absPath' | 'lineNumber'>,
  commit?: string,
): string | undefined {
  const { host, url, branch, roots } = settings
  if (url === '') return undefined
  const [path] = [absPath, filename].flatMap((each) =>
    each === undefined ? [] : (toRepositoryPath(each, roots) ?? []),
  )
  if (path === undefined) return undefined
  const at = { path: encodePath(path), ref: encodePath(commit ?? branch), isCommit: isHash(commit) }
  return `${url}${toHostPath(host, at)}${lineNumber === undefined ? '' : toLineAnchor(host, lineNumber)}`
}

function toHostPath(
  host: CodeHost,
  { path, ref, isCommit }: { path: string; ref: string; isCommit: boolean },
): string {
  switch (host) {
    case 'github':
      return `/blob/${ref}/${path}`
    case 'gitlab':
      return `/-/blob/${ref}/${path}`
    case 'gitea':
      return `/src/${isCommit ? 'commit' : 'branch'}/${ref}/${path}`
    case 'bitbucket':
  }
  return `/src/${ref}/${path}`
}

function toLineAnchor(host: CodeHost, line: number): string {
  return host === 'bitbucket' ? `#lines-${line}` : `#L${line}`
}

/**
 * The path in the repository: by the longest matching root, otherwise a relative path unchanged. Undefined
 * for other absolute paths and URLs, and for paths that leave their folder.
 */
export function toRepositoryPath(path: string, roots: readonly SourceRoot[]): string | undefined {
  const normal = path.replaceAll('\\', '/')
  const root = roots
    .filter(({ from }) => normal.startsWith(from))
    .toSorted((one, other) => other.from.length - one.from.length)[0]
  const relative = root ? `${root.to}${normal.slice(root.from.length)}` : toRelative(normal)
  if (relative === undefined || relative.length > longestPath) return undefined
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.')
  const isInside = parts.length > 0 && !parts.some((part) => part === '..' || part.includes('\0'))
  return isInside ? parts.join('/') : undefined
}

/** `webpack://shop/./src/cart.ts` and `app:///src/cart.ts` are relative paths of bundlers and SDKs. */
function toRelative(path: string): string | undefined {
  const bundled = /^(?:webpack:\/\/[^/]*|app:\/\/|rsc:\/\/[^/]*)\/(.*)$/s.exec(path)?.[1]
  if (bundled !== undefined) return bundled
  const isAbsolute = path.startsWith('/') || /^[A-Za-z][\w+.-]*:/.test(path) || path.startsWith('<')
  return isAbsolute ? undefined : path
}

/** Also encodes characters that would end a Markdown link. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part.toWellFormed()).replaceAll(
        /[!'()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16)}`,
      ),
    )
    .join('/')
}

/** A tool may also report a branch or a tag. */
function isHash(ref: string | undefined): boolean {
  return ref !== undefined && /^[0-9a-f]{7,64}$/.test(ref)
}

/** The commit in a version: it is a hash, or ends with `@` or `+` and a hash, as SDKs write it. */
export function findCommitInVersion(version: string): string | undefined {
  return /(?:^|[@+])([0-9a-f]{40}|[0-9a-f]{64})$/.exec(version)?.[1]
}
