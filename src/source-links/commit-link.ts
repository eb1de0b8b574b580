import type { SourceLinkSettings } from './source-link.ts'

/**
 * The address of a commit in the code host; undefined without a repository, for a commit of another one, and
 * for an id that is not a hash.
 */
export function toCommitUrl(
  { host, url }: Pick<SourceLinkSettings, 'host' | 'url'>,
  { id, repository }: { id: string; repository?: string },
): string | undefined {
  if (url === '' || !/^[0-9a-f]{7,64}$/.test(id) || !isSame(url, repository)) return undefined
  if (host === 'gitlab') return `${url}/-/commit/${id}`
  return `${url}/${host === 'bitbucket' ? 'commits' : 'commit'}/${id}`
}

/** Tools name a repository by owner and name, or by a placeholder if they do not know it. */
function isSame(url: string, repository: string | undefined): boolean {
  if (repository === undefined || !repository.includes('/')) return true
  return `${url}/`.toLowerCase().includes(`/${repository.toLowerCase()}/`)
}
