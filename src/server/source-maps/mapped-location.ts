/** The location in the original source of a location in built code. */
export interface MappedLocation {
  /** Path of the source, as in the map without the prefixes of bundlers: `src/cart.ts`. */
  source: string
  /** 1-based, like the column. */
  line: number
  column: number
  /** True if the source is not code of the application: a package, or the bundler's own. */
  isLibrary: boolean
  /** The name in the source of the function that is called here. */
  calleeName?: string
  contextLine?: string
  preContext?: string[]
  postContext?: string[]
}

/** Source locations of built code, by `locationKey`. */
export type MappedLocations = ReadonlyMap<string, MappedLocation>

/** A location in built code; line and column are 1-based. */
export interface CodeLocation {
  /** URL or path of the file, as the SDK sent it. */
  path: string
  line: number
  column: number
}

/** The key of a location in `MappedLocations`. */
export function locationKey({ path, line, column }: CodeLocation): string {
  return `${line}:${column}:${path}`
}
