import { limits } from '#server/limits.ts'
import { deleteArtifactChunks, listWaitingChunks } from '#server/store/artifacts/chunks.ts'
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
  /** The result of an upload being assembled, or was not returned yet; undefined for others. */
  find(name: UploadName): Promise<AssembleAnswer> | undefined
  /** Assembles an upload whose chunks have all arrived. Rejects if the store cannot be written. */
  begin(upload: CompleteUpload): Promise<AssembleAnswer>
}

/** `onDone` is called with the projects of each new bundle. */
export function createAssembly(
  store: Store,
  onDone: (projectIds: readonly number[]) => Promise<void>,
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
    // Also of an invalid upload: a retry sends its chunks again.
    await deleteArtifactChunks(store, organizationId, checksums)
    if (result.ok) await onDone(upload.projectIds)
    return result
  }

  async function answerWithin(name: string, attempt: Promise<AssembleAnswer>): Promise<AssembleAnswer> {
    try {
      const answer = await Promise.race([attempt, soon()])
      if (answer !== 'assembling') attempts.delete(name)
      return answer
    } catch (thrown) {
      attempts.delete(name)
      throw thrown
    }
  }

  return {
    find(upload) {
      const name = keyOf(upload)
      const attempt = attempts.get(name)
      return attempt && answerWithin(name, attempt)
    },
    begin(upload) {
      const name = keyOf(upload)
      const attempt = attempts.get(name) ?? run(upload)
      attempts.set(name, attempt)
      const forgetLater = () => {
        setTimeout(() => attempts.delete(name), limits.assembleResultMs).unref()
      }
      const forget = (answer: AssembleAnswer) => {
        // Another process assembles it: the next request checks for the result.
        if (answer === 'assembling') attempts.delete(name)
        else forgetLater()
      }
      attempt.then(forget, forgetLater)
      return answerWithin(name, attempt)
    },
  }
}

function keyOf({ organizationId, projectIds, checksum, release, dist }: UploadName): string {
  return JSON.stringify([organizationId, projectIds, checksum, release, dist])
}

function soon(): Promise<'assembling'> {
  return new Promise((resolve) => {
    setTimeout(resolve, limits.assembleAwaitMs, 'assembling' as const).unref()
  })
}
