import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { deleteArtifactChunks, listWaitingChunks } from '#server/store/artifacts/chunks.ts'
import { recordFailedUpload, takeFailedUpload } from '#server/store/artifacts/failed-uploads.ts'
import { createLock } from '#server/store/engine/sqlite/lock.ts'
import { doWithLease } from '#server/store/installation/lease.ts'
import type { Store } from '#server/store/store.ts'
import { assembleBundle, type AssembleResult, type CompleteUpload } from './assemble-bundle.ts'

/** The key of an upload while its chunks arrive. */
export type UploadName = Omit<CompleteUpload, 'chunks'>

/** `assembling`: still running, poll again. */
export type AssembleAnswer = AssembleResult | 'assembling'

/** Assembles bundles from uploads, one at a time. Only one of several processes assembles an upload. */
export interface Assembly {
  /** The result of an upload that this process assembles, or has not returned yet; undefined for others. */
  find(name: UploadName): Promise<AssembleAnswer> | undefined
  /** The result of an upload that could not be assembled in any process, and was not returned yet. */
  findFailed(name: UploadName): Promise<AssembleAnswer | undefined>
  /** Assembles an upload whose chunks have all arrived. Rejects if the store cannot be written. */
  begin(upload: CompleteUpload): Promise<AssembleAnswer>
}

/**
 * `onDone` is called with the projects of each new bundle. A request waits for the result until `isLate`
 * resolves; then the client has to poll again.
 */
export function createAssembly(
  store: Store,
  onDone: (projectIds: readonly number[]) => Promise<void>,
  isLate: () => Promise<unknown> = () => sleep(limits.assembleAwaitMs, undefined, { ref: false }),
): Assembly {
  const attempts = new Map<string, Promise<AssembleAnswer>>()
  const lock = createLock()

  async function run(upload: CompleteUpload): Promise<AssembleAnswer> {
    await lock.acquire()
    try {
      const name = `assemble:${upload.organizationId}:${upload.checksum}`
      const work = await doWithLease(store, name, () => assemble(upload))
      return work.isDone ? work.result : 'assembling'
    } finally {
      lock.release()
    }
  }

  async function assemble(upload: CompleteUpload): Promise<AssembleAnswer> {
    const { organizationId } = upload
    const checksums = upload.chunks.map(({ checksum }) => checksum)
    const waiting = await listWaitingChunks(store.db, organizationId, checksums)
    // Another process has just assembled them: the next request returns the result.
    if (waiting.length < new Set(checksums).size) return 'assembling'
    const result = await assembleBundle(store, upload)
    // First, because without its chunks an upload is unknown to other processes.
    if (!result.ok)
      await recordFailedUpload(store, { organizationId, name: keyOf(upload), problem: result.problem })
    // Also of an invalid upload: a retry sends its chunks again.
    await deleteArtifactChunks(store, organizationId, checksums)
    if (result.ok) await onDone(upload.projectIds)
    return result
  }

  async function answerWithin(upload: UploadName, attempt: Promise<AssembleAnswer>): Promise<AssembleAnswer> {
    const name = keyOf(upload)
    try {
      const answer = await Promise.race([attempt, isLate().then(() => 'assembling' as const)])
      if (answer === 'assembling') return answer
      attempts.delete(name)
      if (!answer.ok) await takeFailedUpload(store, { ...upload, name })
      return answer
    } catch (thrown) {
      attempts.delete(name)
      throw thrown
    }
  }

  return {
    find(upload) {
      const attempt = attempts.get(keyOf(upload))
      return attempt && answerWithin(upload, attempt)
    },
    async findFailed(upload) {
      const problem = await takeFailedUpload(store, { ...upload, name: keyOf(upload) })
      return problem === undefined ? undefined : { ok: false, problem }
    },
    begin(upload) {
      const name = keyOf(upload)
      const attempt = attempts.get(name) ?? run(upload)
      attempts.set(name, attempt)
      const forgetLater = () => {
        setTimeout(() => attempts.delete(name), limits.assembleResultMs).unref()
      }
      const forget = (answer: AssembleAnswer) => {
        // The next request finds out whether another process has assembled it, or why that failed.
        if (answer === 'assembling' || !answer.ok) attempts.delete(name)
        else forgetLater()
      }
      attempt.then(forget, forgetLater)
      return answerWithin(upload, attempt)
    },
  }
}

function keyOf({ organizationId, projectIds, checksum, release, dist }: UploadName): string {
  return JSON.stringify([organizationId, projectIds, checksum, release, dist])
}
