import type { SpaceKind } from './plan.ts'

/** Estimates the space that a dry run would have freed so far. */
export class FreedSpace {
  totalBytes = 0
  private readonly bytes = new Map<string, number>()

  add(projectId: number, kind: SpaceKind, bytes: number): void {
    const key = `${projectId} ${kind}`
    this.bytes.set(key, (this.bytes.get(key) ?? 0) + bytes)
    this.totalBytes += bytes
  }

  of(projectId: number, kind: SpaceKind): number {
    return this.bytes.get(`${projectId} ${kind}`) ?? 0
  }
}
