import { statfsSync } from 'node:fs'
import { limits } from '#server/limits.ts'

/** The room on the disk under a folder. */
export interface FreeSpace {
  /** Bytes that this user may still write. */
  freeBytes: number
  /** Free bytes below which no more data is accepted. */
  floorBytes: number
}

/** Reads the free space of the disk that contains a folder. Undefined where the system does not report it. */
export function readFreeSpace(folder: string): FreeSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder)
    const share = Math.floor(blocks * bsize * limits.freeSpaceFloorShare)
    return { freeBytes: bavail * bsize, floorBytes: Math.min(limits.freeSpaceFloorBytes, share) }
  } catch {
    return undefined
  }
}

/** True when the disk has less room than the floor; where it `wasLow`, until it has clearly more. */
export function isLowSpace(space: FreeSpace | undefined, wasLow = false): boolean {
  if (space === undefined) return false
  return space.freeBytes < space.floorBytes * (wasLow ? limits.freeSpaceResumeFactor : 1)
}
