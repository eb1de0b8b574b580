import { Link as RouterLink, useRouter, type AnyRouter } from '@tanstack/react-router'
import { createElement, type ReactNode } from 'react'

/** The options of a link that belong to the router; all others are attributes. */
const routerOptions = new Set([
  'to',
  'params',
  'search',
  'resetScroll',
  'hashScrollIntoView',
  'replace',
  'preload',
  'activeOptions',
])

/** With these options, and for a relative address, the router decides. */
const otherOptions = ['hash', 'from', 'mask', 'state', 'href', 'disabled', 'activeProps', 'inactiveProps']

/** Values that are the same in a path, and are not relative segments. */
const plainValue = /^(?!\.{1,2}$)[\w.-]+$/

type LinkOptions = Record<string, unknown> & { children?: ReactNode }

/**
 * The same element as the router's link. In the router, each link costs as much as three cells of a row: two
 * wrappers, the match of its route, and the comparison with the current address.
 */
function ServerLink(options: LinkOptions) {
  const href = findHref(useRouter(), options)
  if (href === undefined) return createElement(RouterLink, options)
  const attributes: Record<string, unknown> = { href }
  for (const name in options) if (!routerOptions.has(name)) attributes[name] = options[name]
  return createElement('a', attributes)
}

/** The address of a link with an absolute route that is not the current one; undefined for any other. */
function findHref(router: AnyRouter, options: LinkOptions): string | undefined {
  const { to, params, search = {} } = options
  if (typeof to !== 'string' || !to.startsWith('/') || typeof options.children === 'function')
    return undefined
  if (otherOptions.some((name) => options[name] !== undefined)) return undefined
  if (typeof search !== 'object' || search === null) return undefined
  const path = to.includes('$') ? fillIn(to, params) : to
  if (path === undefined || isCurrent(path, router.stores.location.get().pathname)) return undefined
  return path + router.options.stringifySearch(search)
}

/** A route with its parameters; undefined if a value would have to be encoded. */
function fillIn(route: string, params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  let isPlain = true
  const path = route.replaceAll(/\$(\w*)/g, (_, name: string) => {
    const value: unknown = Reflect.get(params, name)
    isPlain &&= typeof value === 'string' && plainValue.test(value)
    return String(value)
  })
  return isPlain ? path : undefined
}

/** True for the current address and those above it, whose links can be marked as active. */
function isCurrent(path: string, current: string): boolean {
  return path.endsWith('/') || current === path || current.startsWith(`${path}/`)
}

/** A link to another screen. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const Link = (import.meta.env.SSR ? ServerLink : RouterLink) as typeof RouterLink
