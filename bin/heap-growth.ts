import { setFlagsFromString } from 'node:v8'
import { limits } from '#server/limits.ts'

/**
 * Makes V8 collect old objects of every thread when they have grown by `limits.heapGrowthPercent`, instead of
 * waiting until they have doubled. Call it once, when a long-running process starts.
 *
 * Objects of a rendered page remain until such a collection if one of them has a getter, is a prototype or
 * comes from a function that is created per request. The framework creates getters for each page.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${limits.heapGrowthPercent}`)
}
