import * as v from 'valibot'
import { parseInstant } from '#server/api/time-range.ts'
import { limits } from '#server/limits.ts'
import type { NewDeploy, ReleaseFields } from '#server/store/releases/changes.ts'
import type { ReleaseCommit } from '#server/store/releases/records.ts'

const text = v.pipe(v.string(), v.maxLength(2_048))
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(limits.nameCharacters))
const webAddress = v.pipe(v.string(), v.url(), v.regex(/^https?:/i), v.maxLength(2_048))
const instant = v.pipe(
  v.string(),
  v.check((value) => Number.isFinite(parseInstant(value)), 'no date'),
)

/** A release version, validated as in Sentry. */
const version = v.pipe(
  v.string(),
  v.maxLength(limits.releaseCharacters),
  v.regex(/^(?!\.{1,2}$|latest$)[^\s\\/](?:[^\n\r\t\f\v\\]*[^\s\\])?$/, 'no name for a release'),
)

const commit = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  repository: v.nullish(name),
  message: v.nullish(v.string()),
  author_name: v.nullish(name),
  author_email: v.nullish(name),
  timestamp: v.nullish(instant),
  patch_set: v.nullish(v.array(v.object({ path: v.string() }))),
})

/** A commit that implies all commits before it, as sent by `sentry-cli releases set-commits --auto`. */
const ref = v.object({ repository: name, commit: name })

const fields = {
  dateReleased: v.nullish(instant),
  url: v.nullish(webAddress),
  ref: v.nullish(name),
  status: v.nullish(v.picklist(['open', 'archived'])),
  commits: v.nullish(v.array(commit)),
  refs: v.nullish(v.array(ref)),
}

export const releaseChangeBody = v.object({ projects: v.nullish(v.array(v.string())), ...fields })

export const newReleaseBody = v.object({ version, ...releaseChangeBody.entries })

export const deployBody = v.object({
  environment: v.pipe(v.string(), v.minLength(1), v.maxLength(limits.environmentCharacters)),
  name: v.nullish(v.pipe(v.string(), v.maxLength(limits.nameCharacters))),
  url: v.nullish(webAddress),
  dateStarted: v.nullish(instant),
  dateFinished: v.nullish(instant),
  projects: v.nullish(v.array(text)),
})

/** Converts the body to the store's fields of a release. */
export function toReleaseFields(body: v.InferOutput<typeof releaseChangeBody>): ReleaseFields {
  const [firstRef] = body.refs ?? []
  const made = body.ref ?? firstRef?.commit
  return {
    ...(body.dateReleased !== undefined && {
      releasedAt: body.dateReleased === null ? null : parseInstant(body.dateReleased),
    }),
    ...(body.url !== undefined && body.url !== null && { url: body.url }),
    ref: made,
    ...(body.status && { isArchived: body.status === 'archived' }),
    ...(body.commits && { commits: boundFiles(body.commits.map(toCommit)) }),
  }
}

/** Commits with at most as many files as are stored per release; the latest commits take precedence. */
function boundFiles(commits: ReleaseCommit[]): ReleaseCommit[] {
  let room = limits.filesPerRelease
  return commits.map(({ files, ...rest }) => {
    if (files === undefined) return rest
    const stored = files.slice(0, Math.min(room, limits.filesPerCommit))
    room -= stored.length
    return { ...rest, files: stored }
  })
}

function toCommit(sent: v.InferOutput<typeof commit>): ReleaseCommit {
  const {
    id,
    repository,
    message,
    author_name: author,
    author_email: email,
    timestamp,
    patch_set: files,
  } = sent
  return {
    id,
    ...(repository && { repository }),
    ...(message && { message: message.slice(0, limits.messageCharacters) }),
    ...(author && { authorName: author }),
    ...(email && { authorEmail: email }),
    ...(timestamp && { committedAt: parseInstant(timestamp) }),
    ...(files && {
      files: files.flatMap(({ path }) => (path.length > limits.filePathCharacters ? [] : path)),
    }),
  }
}

/** Converts the body to a deploy of the store. */
export function toNewDeploy(body: v.InferOutput<typeof deployBody>): NewDeploy {
  const { environment, name: title, url, dateStarted, dateFinished } = body
  return {
    environment,
    ...(title && { name: title }),
    ...(url && { url }),
    ...(dateStarted && { startedAt: parseInstant(dateStarted) }),
    ...(dateFinished && { finishedAt: parseInstant(dateFinished) }),
  }
}
