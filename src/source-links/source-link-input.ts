import { codeHosts, type CodeHost, type SourceLinkSettings, type SourceRoot } from './source-link.ts'

/** The normalized address of a repository, or an error message. */
export type ReadRepository = { ok: true; url: string; host: CodeHost } | { ok: false; problem: string }

const hostNames: readonly (readonly [part: string, host: CodeHost])[] = [
  ['github', 'github'],
  ['gitlab', 'gitlab'],
  ['bitbucket', 'bitbucket'],
  ['gitea', 'gitea'],
  ['forgejo', 'gitea'],
  ['codeberg.org', 'gitea'],
]

/**
 * Parses the address of a repository as users copy it: of its page, or for cloning over HTTPS. If `host` is
 * empty, it is derived from the address.
 */
export function readRepositoryUrl(entered: string, host: string): ReadRepository {
  const example = 'Enter it as https://github.com/acme/shop.'
  const url = URL.canParse(entered) ? new URL(entered) : undefined
  if (url === undefined) return { ok: false, problem: `This is not an address. ${example}` }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, problem: `The address begins with ${url.protocol}//. ${example}` }
  if (url.username !== '' || url.password !== '')
    return { ok: false, problem: 'Remove the user and the password from the address.' }
  const path = url.pathname.replace(/(?:\.git)?\/*$/, '')
  if (path === '') return { ok: false, problem: `The address names no repository. ${example}` }
  const chosen =
    codeHosts.find((each) => each === host) ?? hostNames.find(([part]) => url.hostname.includes(part))?.[1]
  if (chosen === undefined)
    return { ok: false, problem: 'Choose the code host: it cannot be detected from the address.' }
  return { ok: true, url: `${url.origin}${path}`, host: chosen }
}

/**
 * Parses a line that maps the path of a frame to the path of the same file in the repository, such as
 * `/app/src/cart.ts = packages/shop/src/cart.ts`: their common suffix is left out. Undefined for an invalid
 * line.
 */
export function readSourceRoot(line: string): SourceRoot | undefined {
  const [, frame = '', file] = /^(\S.*?)\s*=\s*(.*)$/.exec(line.trim()) ?? []
  if (file === undefined || frame === '') return undefined
  const [from, to] = [frame.replaceAll('\\', '/').split('/'), file.replace(/^\/+/, '').split('/')]
  while (from.length > 1 && to.length > 0 && from.at(-1) === to.at(-1) && from.at(-1) !== '') {
    from.pop()
    to.pop()
  }
  if (to.includes('..')) return undefined
  return { from: toFolder(from), to: to.join('/') === '' ? '' : toFolder(to) }
}

function toFolder(parts: readonly string[]): string {
  const text = parts.join('/')
  return text.endsWith('/') ? text : `${text}/`
}

/** The root of a line, or the problem with the address in it. */
type ReadRoot = { ok: true; root: SourceRoot } | { ok: false; problem: string }

/** The path of a file's page, relative to the repository's address. */
const filePages: Record<CodeHost, RegExp> = {
  github: /^\/(?:blob|blame|edit|tree)\/(.+)$/,
  gitlab: /^\/(?:-\/)?(?:blob|blame|edit|tree)\/(.+)$/,
  gitea: /^\/src\/(?:branch|commit|tag)\/(.+)$/,
  bitbucket: /^\/(?:src|annotate)\/(.+)$/,
}

/**
 * Parses a line that `readSourceRoot` accepts, or one with the address of the file's page instead of its
 * path: `/app/src/cart.ts = https://github.com/acme/shop/blob/main/packages/shop/src/cart.ts`.
 */
export function readPastedRoot(
  line: string,
  repository: Pick<SourceLinkSettings, 'host' | 'url' | 'branch'>,
): ReadRoot {
  const [, frame = '', address] = /^(\S.*?)\s*=\s*([a-z][\w+.-]*:\/\/.*)$/i.exec(line.trim()) ?? []
  const path = address === undefined ? undefined : findPathOfPage(address, repository)
  if (address !== undefined && path === undefined) {
    const of = repository.url === '' ? 'no repository is entered' : `it is not a file of ${repository.url}`
    return { ok: false, problem: `${line}: ${of}. Paste the address of the file’s page, or its path.` }
  }
  const [from, to] = [frame, path ?? ''].map((each) =>
    each.slice(each.replaceAll('\\', '/').lastIndexOf('/') + 1),
  )
  if (path !== undefined && from !== to && to?.includes('.', 1) === true)
    return {
      ok: false,
      problem: `${line}: the two files have different names. Paste the page of the same file.`,
    }
  const root = readSourceRoot(path === undefined ? line : `${frame} = ${path}`)
  return root === undefined
    ? { ok: false, problem: `${line}: this is not a path in the repository.` }
    : { ok: true, root }
}

/**
 * The path of the file shown by a page of the repository. A branch may contain slashes: the configured branch
 * is recognized, any other is taken to be the first part.
 */
function findPathOfPage(
  address: string,
  { host, url, branch }: Pick<SourceLinkSettings, 'host' | 'url' | 'branch'>,
): string | undefined {
  if (url === '' || !URL.canParse(address)) return undefined
  const [page, own] = [new URL(address), new URL(url)]
  const base = own.pathname.toLowerCase()
  if (page.host !== own.host || !page.pathname.toLowerCase().startsWith(`${base}/`)) return undefined
  const shown = filePages[host].exec(page.pathname.slice(base.length))?.[1]
  const text = shown === undefined ? undefined : decodePath(shown)
  if (text === undefined) return undefined
  const ref = text.startsWith(`${branch}/`) ? branch : (text.split('/')[0] ?? '')
  const path = text.slice(ref.length + 1)
  return path === '' ? undefined : path
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The line that `readSourceRoot` parses into this root. */
export function formatSourceRoot({ from, to }: SourceRoot): string {
  return `${from} = ${to}`
}
