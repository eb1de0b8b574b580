import * as v from 'valibot'
import { isJsonObject } from '#protocol/json.ts'
import { errorAnswer, tooLargeAnswer, type ApiAnswer } from './api-answer.ts'
import type { ApiCall, SentJson } from './api-route.ts'

/**
 * Parses the body with a schema. The rejection names each invalid field, as in Sentry's API: `{"environment":
 * ["…"]}`.
 */
export async function readCallBody<Schema extends v.GenericSchema>(
  call: Pick<ApiCall, 'readBody'>,
  schema: Schema,
): Promise<{ ok: true; body: v.InferOutput<Schema> } | { ok: false; error: ApiAnswer }> {
  const read = await call.readBody()
  if (!read.ok) return read
  const parsed = v.safeParse(schema, read.value)
  if (parsed.success) return { ok: true, body: parsed.output }
  const problems: Record<string, string[]> = {}
  for (const issue of parsed.issues) {
    const field = v.getDotPath(issue) ?? 'detail'
    problems[field] = [...(problems[field] ?? []), issue.message]
  }
  return { ok: false, error: { status: 400, body: problems } }
}

/** Parses the JSON body of a request. An empty body is an empty object. */
export async function readSentJson(request: Request): Promise<SentJson> {
  let text: string
  try {
    text = await request.text()
  } catch {
    return { ok: false, error: tooLargeAnswer('The body is too large, or incomplete.') }
  }
  if (text.trim() === '') return { ok: true, value: {} }
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value)
      ? { ok: true, value }
      : { ok: false, error: errorAnswer(400, 'The body is not a JSON object.') }
  } catch {
    return { ok: false, error: errorAnswer(400, 'The body is not JSON.') }
  }
}
