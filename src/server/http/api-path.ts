/** The base path of the API. */
export const apiBase = '/api/0'

/** True for a path that the API answers. */
export function isApiPath(path: string): boolean {
  return path === apiBase || path.startsWith(`${apiBase}/`)
}
