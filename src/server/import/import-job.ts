import * as v from 'valibot'

/** The source of an import. */
const Source = v.object({
  tracker: v.picklist(['sentry', 'glitchtip', 'bugsink']),
  /** The URL of the tracker; empty for a backup. */
  url: v.string(),
  organization: v.string(),
  eventCount: v.number(),
  /** Encrypted; empty for a backup. */
  sealedToken: v.string(),
})

/** The document of an import in the console, at any step. */
const ImportJobDocument = v.object({
  id: v.string(),
  source: Source,
  /** `reading` and `running` are in progress; `read` waits for the user. */
  state: v.picklist(['reading', 'read', 'running', 'done', 'failed']),
  /** The failed step, from which it continues. */
  failedStep: v.optional(v.picklist(['reading', 'running'])),
  /** The contents of a backup. For a tracker they are read again. */
  plan: v.optional(v.unknown()),
  report: v.optional(v.string(), ''),
  /** From 0 to 1. */
  share: v.optional(v.number(), 0),
  progress: v.optional(v.string(), ''),
  problem: v.optional(v.string(), ''),
  /** A line for each imported project. */
  results: v.optional(v.array(v.string()), []),
  /** True if owners in the file or tracker become owners here. */
  addsOwners: v.boolean(),
})

export type ImportJob = v.InferOutput<typeof ImportJobDocument>
export type ImportJobSource = v.InferOutput<typeof Source>

/** Parses a stored document; undefined if it is of another version. */
export function parseImportJob(text: string): ImportJob | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ImportJobDocument), text)
  return parsed.success ? parsed.output : undefined
}
