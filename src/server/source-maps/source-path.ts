/** Bundler prefixes of source paths, such as Turbopack's `[project]`, and webpack's hash suffix. */
const bundlerPrefix =
  /^(?:(?:webpack(?:-internal)?|rollup|vite|turbopack|parcel|ng|file|app):\/\/(?:\/|[^/]*\/)(?:\[project\]\/)?)?(?:\.{1,2}\/)*/
const hashSuffix = /\?[\w=&-]*$/

/** A source's path: `webpack://shop/./src/cart.ts?a1b2` and `../../src/cart.ts` become `src/cart.ts`. */
export function toSourcePath(source: string): string {
  const path = source.replace(hashSuffix, '').replace(bundlerPrefix, '')
  return path === '' ? source : path
}

/** True for sources of packages and of the bundler. */
export function isLibrarySource(source: string): boolean {
  return (
    /(?:^|\/)(?:node_modules|\.yarn|\.pnpm|~)\//.test(source) ||
    /^turbopack:\/\/\/?\[(?!project\])/.test(source) ||
    /^\0|[/\\]\(?webpack\)?[/\\](?:bootstrap|runtime|buildin)|^(?:webpack\/|vite\/|rolldown\/|\(webpack\))/.test(
      source,
    )
  )
}
