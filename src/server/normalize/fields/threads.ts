import type { Thread } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { nonEmpty } from '#server/normalize/emptiness.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { readStackTrace } from './stack-trace.ts'

/** Reads the threads of an event: a list, or `{ values: [...] }`; empty ones are left out. */
export function readThreads(event: FieldReader, key: string): Thread[] {
  const threads: Thread[] = []
  for (const reader of event.objects(key, limits.threads)) {
    const thread = readThread(reader)
    if (thread !== undefined) threads.push(thread)
  }
  return threads
}

function readThread(reader: FieldReader): Thread | undefined {
  const thread: Thread = {}
  const id = reader.text('id', limits.nameCharacters)
  const name = reader.text('name', limits.nameCharacters)
  const crashed = reader.flag('crashed')
  const current = reader.flag('current')
  const state = reader.text('state', limits.nameCharacters)
  const stackTrace = readStackTrace(reader, 'stacktrace')
  if (id !== undefined) thread.id = id
  if (name !== undefined) thread.name = name
  if (crashed !== undefined) thread.crashed = crashed
  if (current !== undefined) thread.current = current
  if (state !== undefined) thread.state = state
  if (stackTrace !== undefined) thread.stackTrace = stackTrace
  return nonEmpty(thread)
}
