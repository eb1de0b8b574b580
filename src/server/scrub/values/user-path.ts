import type { FindingList } from '#server/scrub/finding-list.ts'
import { isMarkAt } from '#server/scrub/scrub-rule.ts'

/** A path that begins here, and not inside a URL or another path; `file:` URLs are paths. */
const unixPath =
  /(?:^|[\s"'`(=,;:[<>|]|\bfile:\/\/)(?:\/mnt\/[a-z]|\/cygdrive\/[a-z]|\/[a-z](?=\/Users)|\/var|\/export)?\/(Users|home)\/([^/\\\s"'`:*?<>|()[\],;]{1,64})/dg

/** `GET /home/offers` is a request line and not a user's path. */
const requestLine = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s$/

/** User names may contain spaces if a separator follows. */
const windowsPath =
  /\b[A-Za-z]:[\\/]{1,2}(?:Users|Documents and Settings|(?:Windows|WINNT)[\\/]{1,2}Profiles)[\\/]{1,2}([^/\\\s"'`:*?<>|;]{1,64}(?: [^/\\\s"'`:*?<>|;]{1,64}){0,3}(?=[\\/])|[^/\\\s"'`:*?<>|;]{1,64})/dgi

/**
 * Finds the user name in a path of a home directory. In a browser, and in a route, `/home/…` is a page rather
 * than a directory: `hasRoutes` skips it.
 */
export function findUserPaths(text: string, hasRoutes: boolean, findings: FindingList): void {
  findings.search(text, unixPath, ({ 0: found, 1: folder, index, indices }) => {
    if (folder === 'Users' || found.startsWith('file:') || !isRoute(text, index, hasRoutes)) {
      addGroup(findings, indices?.[2], text)
    }
  })
  findings.search(text, windowsPath, ({ indices }) => addGroup(findings, indices?.[1], text))
}

function isRoute(text: string, at: number, hasRoutes: boolean): boolean {
  return hasRoutes || requestLine.test(text.slice(Math.max(0, at - 8), at + 1))
}

function addGroup(findings: FindingList, span: [number, number] | undefined, text: string): void {
  if (span === undefined || isMarkAt(text, span[0])) return
  findings.add(span[0], span[1], 'userpath')
}
