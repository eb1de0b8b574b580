import { readFileSync } from 'node:fs'
import * as v from 'valibot'

/** How the bytes of a body are built: a file can describe a bomb of 300 MB in one line. */
export interface Recipe {
  text?: string
  base64?: string
  repeat?: string
  /** As `repeat`, with `%d` counting from 0. */
  repeat_index?: string
  times?: number
  concat?: Recipe[]
  gzip?: Recipe
  br?: Recipe
  zstd?: Recipe
  deflate?: Recipe
  base64_of?: Recipe
  /** The same bytes, `times` times: members of one gzip file. */
  members?: Recipe
  /** Sent one byte every `delay_ms`. */
  slow?: Recipe
  delay_ms?: number
}

const inner = v.lazy(() => recipe)
const recipe: v.GenericSchema<Recipe> = v.object({
  text: v.exactOptional(v.string()),
  base64: v.exactOptional(v.string()),
  repeat: v.exactOptional(v.string()),
  repeat_index: v.exactOptional(v.string()),
  times: v.exactOptional(v.number()),
  concat: v.exactOptional(v.array(inner)),
  gzip: v.exactOptional(inner),
  br: v.exactOptional(inner),
  zstd: v.exactOptional(inner),
  deflate: v.exactOptional(inner),
  base64_of: v.exactOptional(inner),
  members: v.exactOptional(inner),
  slow: v.exactOptional(inner),
  delay_ms: v.exactOptional(v.number()),
})

const badInput = v.object({
  id: v.string(),
  endpoint: v.picklist(['envelope', 'store', 'tunnel']),
  method: v.string(),
  path: v.optional(v.string()),
  query: v.string(),
  headers: v.record(v.string(), v.string()),
  body_base64: v.optional(v.string()),
  body_gen: v.optional(recipe),
  raw_base64: v.optional(v.string()),
  repeat: v.optional(v.number(), 1),
  note: v.optional(v.string(), ''),
  expect: v.object({
    status: v.array(v.number()),
    must: v.string(),
    max_ms: v.optional(v.number()),
  }),
})

/** A hostile or unusual request and its required effects. Status 0: closed without an answer. */
export type BadInput = v.InferOutput<typeof badInput>

/** Reads a file with a case on each line. */
export function readBadInputs(path: string): BadInput[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => v.parse(badInput, JSON.parse(line)))
}
