import type { Frame } from '#protocol/event.ts'

/** Code hosts whose addresses of lines are known. `gitea` is also Forgejo. */
export const codeHosts = ['github', 'gitlab', 'gitea', 'bitbucket'] as const
export type CodeHost = (typeof codeHosts)[number]

/** A folder of the running application, and the folder of the repository that has its files. */
export interface SourceRoot {
  /** The beginning of a frame's path, such as `/app/`. */
  from: string
  /** In the repository, without a slash at its beginning: `packages/shop/`, or empty. */
  to: string
}

/** Where the code of a project is. */
export interface SourceLinkSettings {
  host: CodeHost
  /** Of the repository, with http or https and without a slash at its end; empty: no links. */
  url: string
  /** For events whose release has no commit. */
  branch: string
  roots: readonly SourceRoot[]
}

/** Longest path of a link. Longer ones come from no repository. */
const longestPath = 1_000

/**
 * The address of a frame's line in the code host; undefined where its path is not known to be in the
 * repository. Only the path and the line are the event's, and every part of the path is encoded.
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
 * The path in the repository: by the longest root that a path begins with, otherwise a relative path as it
 * is. Undefined for other absolute paths and URLs, and for paths that leave their folder.
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

/** `webpack://shop/./src/cart.ts` and `app:///src/cart.ts` are relative: bundlers and SDKs write them so. */
function toRelative(path: string): string | undefined {
  const bundled = /^(?:webpack:\/\/[^/]*|app:\/\/|rsc:\/\/[^/]*)\/(.*)$/s.exec(path)?.[1]
  if (bundled !== undefined) return bundled
  const isAbsolute = path.startsWith('/') || /^[A-Za-z][\w+.-]*:/.test(path) || path.startsWith('<')
  return isAbsolute ? undefined : path
}

/** Also what a Markdown link would end with. */
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

/** A tool may report a branch or a tag as well. */
function isHash(ref: string | undefined): boolean {
  return ref !== undefined && /^[0-9a-f]{7,64}$/.test(ref)
}

/** A commit that a version names: it is one, or ends with `@` or `+` and one, as SDKs write it. */
export function findCommitInVersion(version: string): string | undefined {
  return /(?:^|[@+])([0-9a-f]{40}|[0-9a-f]{64})$/.exec(version)?.[1]
}
