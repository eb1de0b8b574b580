import { codeHosts, type CodeHost, type SourceRoot } from './source-link.ts'

/** The address of a repository as it is stored, or its error. */
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
 * Reads the address of a repository as people copy it: of its page, or to clone it over HTTPS. `host` empty:
 * recognized by the address.
 */
export function readRepositoryUrl(entered: string, host: string): ReadRepository {
  const example = 'Enter it as https://github.com/acme/shop.'
  const url = URL.canParse(entered) ? new URL(entered) : undefined
  if (url === undefined) return { ok: false, problem: `This is no address. ${example}` }
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
 * Reads a line that maps the path of a frame to the path of the same file in the repository, such as
 * `/app/src/cart.ts = packages/shop/src/cart.ts`: what both end with is left out. Undefined if it is none.
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

/** The line that `readSourceRoot` reads as this root. */
export function formatSourceRoot({ from, to }: SourceRoot): string {
  return `${from} = ${to}`
}
