/** Where a place of the code that ran stands in the source it was made of. */
export interface MappedPlace {
  /** Path of the source, as the map names it without what bundlers put before it: `src/cart.ts`. */
  source: string
  /** 1-based, both. */
  line: number
  column: number
  /** The source is no code of the application: a package, or the bundler's own. */
  isLibrary: boolean
  /** The function that is called here, by its name in the source. */
  calleeName?: string
  contextLine?: string
  preContext?: string[]
  postContext?: string[]
}

/** Places of code that ran with their source, by `placeKey`. */
export type MappedPlaces = ReadonlyMap<string, MappedPlace>

/** A place in code that ran; line and column are 1-based. */
export interface CodePlace {
  /** URL or path of the file, as the SDK sent it. */
  path: string
  line: number
  column: number
}

/** Names a place in `MappedPlaces`. */
export function placeKey({ path, line, column }: CodePlace): string {
  return `${line}:${column}:${path}`
}
