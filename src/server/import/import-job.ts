import * as v from 'valibot'

/** The source of an import. */
const Source = v.object({
  tracker: v.picklist(['sentry', 'glitchtip', 'bugsink']),
  /** Of the tracker; empty for a backup. */
  url: v.string(),
  organization: v.string(),
  eventCount: v.number(),
  /** Encrypted; empty for a backup. */
  sealedToken: v.string(),
})

/** An import of the console, in any of its steps. */
const ImportJobDocument = v.object({
  id: v.string(),
  source: Source,
  /** `reading` and `running` are at work; `read` waits for the user. */
  state: v.picklist(['reading', 'read', 'running', 'done', 'failed']),
  /** The step that failed continues from there. */
  failedStep: v.optional(v.picklist(['reading', 'running'])),
  /** Of a backup: what it contains. Of a tracker it is read again. */
  plan: v.optional(v.unknown()),
  report: v.optional(v.string(), ''),
  /** From 0 to 1. */
  share: v.optional(v.number(), 0),
  progress: v.optional(v.string(), ''),
  problem: v.optional(v.string(), ''),
  /** A line for each project that is imported. */
  results: v.optional(v.array(v.string()), []),
  /** Members of the file or tracker who are owners become owners here. */
  addsOwners: v.boolean(),
})

export type ImportJob = v.InferOutput<typeof ImportJobDocument>
export type ImportJobSource = v.InferOutput<typeof Source>

/** Parses a stored document; undefined for one of another version. */
export function parseImportJob(text: string): ImportJob | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ImportJobDocument), text)
  return parsed.success ? parsed.output : undefined
}
