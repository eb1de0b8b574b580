/** What bundlers put before the path of a source, and webpack's hash behind it. */
const bundlerPrefix =
  /^(?:(?:webpack(?:-internal)?|rollup|vite|turbopack|parcel|ng|file|app):\/\/(?:\/|[^/]*\/))?(?:\.{1,2}\/)*/
const hashSuffix = /\?[\w=&-]*$/

/**
 * A source's path as people know it: `webpack://shop/./src/cart.ts?a1b2` and `../../src/cart.ts` are
 * `src/cart.ts`.
 */
export function toSourcePath(source: string): string {
  const path = source.replace(hashSuffix, '').replace(bundlerPrefix, '')
  return path === '' ? source : path
}

/** True for a source that is a package, or that the bundler made. */
export function isLibrarySource(source: string): boolean {
  return (
    /(?:^|\/)(?:node_modules|\.yarn|\.pnpm|~)\//.test(source) ||
    /^\0|[/\\]\(?webpack\)?[/\\](?:bootstrap|runtime|buildin)|^(?:webpack\/|vite\/|rolldown\/|\(webpack\))/.test(
      source,
    )
  )
}
