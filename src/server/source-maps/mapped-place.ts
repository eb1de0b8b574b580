/** The source location of a location in built code. */
export interface MappedPlace {
  /** Path of the source without the bundler's prefix: `src/cart.ts`. */
  source: string
  /** 1-based, both. */
  line: number
  column: number
  /** Library code: a package or the bundler's runtime. */
  isLibrary: boolean
  /** The name of the called function in the source. */
  calledName?: string
  contextLine?: string
  preContext?: string[]
  postContext?: string[]
}

/** Source locations by `placeKey`. */
export type MappedPlaces = ReadonlyMap<string, MappedPlace>

/** A location in built code. Line and column are 1-based. */
export interface CodePlace {
  /** URL or path of the file, as the SDK sent it. */
  path: string
  line: number
  column: number
}

/** The key of a location in `MappedPlaces`. */
export function placeKey({ path, line, column }: CodePlace): string {
  return `${line}:${column}:${path}`
}
