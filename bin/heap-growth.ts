import { setFlagsFromString } from 'node:v8'
import { limits } from '#server/limits.ts'

/**
 * Has V8 collect the old objects of every thread when they have grown by `limits.heapGrowthPercent`, instead
 * of waiting until they have doubled. Call it once, when a long-running process starts.
 *
 * What a page made stays until such a collection if one of its objects has a getter, is a prototype or comes
 * from a function that is made for each request. The framework makes getters for each page.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${limits.heapGrowthPercent}`)
}
