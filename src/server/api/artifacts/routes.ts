import * as v from 'valibot'
import {
  answer,
  errorAnswer,
  notFoundAnswer,
  tooLargeAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import { findMembership, type ApiCall, type ApiRoute } from '#server/api/api-route.ts'
import { findNamedProject, findPathProject, findProjectScope } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import type { AssembleAnswer, UploadName } from '#server/artifacts/assembly.ts'
import { parseSentChunks } from '#server/artifacts/sent-chunk.ts'
import { isAllowed } from '#server/auth/roles.ts'
import type { Membership } from '#server/auth/viewer.ts'
import { apiBase } from '#server/http/api-path.ts'
import { limits } from '#server/limits.ts'
import { artifactBundleId, hasArtifactBundle } from '#server/store/artifacts/bundles.ts'
import { listWaitingChunks, recordArtifactChunk, sumWaitingChunks } from '#server/store/artifacts/chunks.ts'
import type { Store } from '#server/store/store.ts'
import { assembleAnswer, chunksAcceptedAnswer, uploadOptionsAnswer } from './answer.ts'
import { assembleBody } from './body.ts'

/** Source map uploads of sentry-cli and the bundler plugins. */
export const artifactRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/organizations/{org}/chunk-upload/',
    scope: 'project:releases',
    summary: 'The upload settings: chunk size and maximum sizes.',
    answers: uploadOptionsAnswer,
    handle: (call) => {
      const membership = findMembership(call)
      return membership === undefined ? notFoundAnswer : answer(toUploadOptions(call, membership))
    },
  },
  {
    method: 'POST',
    path: '/organizations/{org}/chunk-upload/',
    scope: 'project:releases',
    summary: 'Uploads chunks: a multipart form of files `file` or `file_gzip`, each named by its SHA-1.',
    takesForm: true,
    answers: chunksAcceptedAnswer,
    handle: uploadChunks,
  },
  {
    method: 'POST',
    path: '/organizations/{org}/artifactbundle/assemble/',
    scope: 'project:releases',
    summary: 'Assembles a bundle of uploaded chunks, or lists the missing ones.',
    body: assembleBody,
    answers: assembleAnswer,
    handle: assemble,
  },
  {
    method: 'POST',
    path: '/organizations/{org}/releases/{version}/assemble/',
    scope: 'project:releases',
    summary: 'The same for a release, for older clients.',
    body: assembleBody,
    answers: assembleAnswer,
    handle: assemble,
  },
  {
    method: 'POST',
    path: '/projects/{org}/{project}/files/difs/assemble/',
    scope: 'project:releases',
    summary: 'Rejects debug files of native code, which are not supported.',
    body: v.record(v.string(), v.unknown()),
    statuses: [],
    handle: rejectDebugFiles,
  },
]

function toUploadOptions({ services }: ApiCall, { organizationSlug }: Membership) {
  return {
    url: `${services.publicOrigin}${apiBase}/organizations/${encodeURIComponent(organizationSlug)}/chunk-upload/`,
    chunkSize: limits.chunkBytes,
    chunksPerRequest: limits.chunksPerRequest,
    maxRequestSize: limits.chunkRequestBytes,
    maxFileSize: limits.artifactBundleBytes,
    maxWait: 0,
    concurrency: limits.chunkConcurrency,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2'],
  }
}

async function uploadChunks(call: ApiCall): Promise<ApiAnswer> {
  const membership = findMembership(call)
  if (membership === undefined) return notFoundAnswer
  if (!isAllowed(membership.role, 'triage')) return cannotUpload
  const { store, uploadQueue, bodyGate } = call.services
  const { organizationId } = membership
  if ((await sumWaitingChunks(store.db, organizationId)) > limits.waitingChunkBytes) return tooManyWaiting
  const hold = bodyGate.hold()
  if (!hold.resize(limits.chunkRequestBytes)) return tooManyUploads
  try {
    // Before it is queued: others must not wait for a slow client.
    const sent = await call.readForm(limits.chunkRequestBytes)
    if (!sent.ok) return sent.error
    const stored = await uploadQueue.run(() => storeChunks(store, organizationId, sent.form))
    return stored ?? tooManyUploads
  } finally {
    hold.release()
  }
}

async function storeChunks(store: Store, organizationId: number, form: FormData): Promise<ApiAnswer> {
  const parsed = await parseSentChunks(form)
  if (!parsed.ok) return errorAnswer(400, parsed.problem)
  for (const chunk of parsed.chunks) await recordArtifactChunk(store, organizationId, chunk)
  return answer({})
}

async function assemble(call: ApiCall): Promise<ApiAnswer> {
  const sent = await readCallBody(call, assembleBody)
  if (!sent.ok) return sent.error
  const targets = await findTargets(call, sent.body)
  if ('status' in targets) return targets
  const { assembly, store } = call.services
  const { chunks } = sent.body
  const attempt = assembly.find(targets)
  if (attempt !== undefined) return toAssembleAnswer(await attempt)
  if (await isHere(call, targets)) return answer({ state: 'ok', missingChunks: [] })
  const waiting = await listWaitingChunks(store.db, targets.organizationId, chunks)
  const known = new Map(waiting.map((chunk) => [chunk.checksum, chunk]))
  const missingChunks = chunks.filter((checksum) => !known.has(checksum))
  if (missingChunks.length > 0) {
    const failed = await assembly.findFailed(targets)
    return failed ? toAssembleAnswer(failed) : answer({ state: 'not_found', missingChunks })
  }
  const inOrder = chunks.flatMap((checksum) => known.get(checksum) ?? [])
  const byteCount = inOrder.reduce((sum, chunk) => sum + chunk.byteCount, 0)
  if (byteCount > limits.artifactBundleBytes)
    return toAssembleAnswer({
      ok: false,
      problem: `the bundle has more than ${limits.artifactBundleBytes} bytes: upload the build in parts`,
    })
  return toAssembleAnswer(await assembly.begin({ ...targets, chunks: inOrder }))
}

/** A 400 with the reason: sentry-cli prints “Project not found” for each 404. */
async function rejectDebugFiles(call: ApiCall): Promise<ApiAnswer> {
  const project = await findPathProject(call)
  if (project === undefined) return notFoundAnswer
  if (!isAllowed(project.role, 'triage')) return cannotUpload
  return errorAnswer(
    400,
    'Debug files of native code are not supported: native frames stay as the SDK sends them.',
  )
}

function toAssembleAnswer(ended: AssembleAnswer): ApiAnswer {
  if (ended === 'assembling') return answer({ state: 'assembling', missingChunks: [] })
  return ended.ok
    ? answer({ state: 'ok', missingChunks: [] })
    : answer({ state: 'error', missingChunks: [], detail: ended.problem })
}

/**
 * Returns the projects of an upload, or a rejection. A request without a project is rejected unless only one
 * is accessible.
 */
async function findTargets(
  call: ApiCall,
  { checksum, projects, version, dist }: v.InferOutput<typeof assembleBody>,
): Promise<UploadName | ApiAnswer> {
  const projectScope = await findProjectScope(call)
  if (projectScope === undefined) return notFoundAnswer
  if (!isAllowed(projectScope.membership.role, 'triage')) return cannotUpload
  const named = [...new Set(projects)]
  const found = named.map((name) => findNamedProject(projectScope.projects, name))
  if (found.includes(undefined)) return notFoundAnswer
  const targets = named.length === 0 ? projectScope.projects : found.flatMap((project) => project ?? [])
  if (named.length === 0 && targets.length !== 1)
    return errorAnswer(
      400,
      `Name the project of these files (--project): ${targets.map(({ slug }) => slug).join(', ') || 'no project is accessible'}.`,
    )
  return {
    organizationId: projectScope.membership.organizationId,
    projectIds: targets.map(({ id }) => id),
    checksum,
    release: call.params['version'] ?? version ?? '',
    dist: dist ?? '',
  }
}

async function isHere({ services }: ApiCall, { projectIds, ...upload }: UploadName): Promise<boolean> {
  for (const projectId of projectIds) {
    const bundleId = artifactBundleId({ ...upload, projectId })
    if (!(await hasArtifactBundle(services.store.db, { projectId, bundleId }))) return false
  }
  return true
}

const cannotUpload = errorAnswer(
  403,
  'You do not have permission to perform this action: viewers cannot upload files.',
)

const tooManyUploads: ApiAnswer = {
  ...errorAnswer(429, 'Too many uploads at the same time: try again in a moment.'),
  headers: { 'retry-after': '5' },
}

const tooManyWaiting = tooLargeAnswer(
  'Too many unassembled chunks. Chunks of unfinished uploads are deleted after a day.',
)
