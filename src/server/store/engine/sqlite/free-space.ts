import { statfsSync } from 'node:fs'
import { limits } from '#server/limits.ts'

/** The free space of the disk with a folder. */
export interface FreeSpace {
  /** Bytes that this user may still write. */
  freeBytes: number
  /** Free bytes below which no more data is accepted. */
  floorBytes: number
}

/** Reads the free space of the disk with a folder. Undefined if the system does not report it. */
export function readFreeSpace(folder: string): FreeSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    const share = Math.floor(blocks * bsize * limits.freeSpaceFloorShare)
    return { freeBytes: bavail * bsize, floorBytes: Math.min(limits.freeSpaceFloorBytes, share) }
  } catch {
    return undefined
  }
}

/** True if the free space is below the floor; if it `wasLow`, until it is clearly above. */
export function isLowSpace(space: FreeSpace | undefined, wasLow = false): boolean {
  if (space === undefined) return false
  return space.freeBytes < space.floorBytes * (wasLow ? limits.freeSpaceResumeFactor : 1)
}
