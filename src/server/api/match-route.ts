import type { ApiRoute } from './api-route.ts'

/** The result of matching a path. */
export type RouteMatch =
  | { kind: 'found'; route: ApiRoute; params: Record<string, string> }
  /** The path exists for other methods. */
  | { kind: 'other-method'; methods: string[] }
  | { kind: 'none' }

/** Finds the route of a path below `/api/0`. The trailing slash is optional. */
export function matchRoute(routes: readonly ApiRoute[], method: string, path: string): RouteMatch {
  const parts = path.replace(/\/$/, '').split('/')
  const matches = routes.flatMap((route) => {
    const params = matchParts(route.path.replace(/\/$/, '').split('/'), parts)
    return params === undefined ? [] : [{ route, params }]
  })
  const found = matches.find(({ route }) => route.method === method)
  if (found) return { kind: 'found', ...found }
  if (matches.length === 0) return { kind: 'none' }
  return { kind: 'other-method', methods: [...new Set(matches.map(({ route }) => route.method))] }
}

function matchParts(template: string[], parts: string[]): Record<string, string> | undefined {
  if (template.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of template.entries()) {
    const part = parts[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(expected)?.[1]
    if (name === undefined) {
      if (part !== expected) return undefined
      continue
    }
    const value = decodePart(part)
    if (value === undefined || value === '') return undefined
    params[name] = value
  }
  return params
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
